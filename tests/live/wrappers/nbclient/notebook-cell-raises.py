"""A cell of a notebook raises."""
# expect: key-missing
import sys

import nbclient
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

source = "print({'loss': 1}['loss'])" if "--fixed" in sys.argv else "print({'loss': 1}['accuracy'])"
notebook = new_notebook(cells=[new_code_cell("import time, os"), new_code_cell(source)])
nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
print("all cells ran")
