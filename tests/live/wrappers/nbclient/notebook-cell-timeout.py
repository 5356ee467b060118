"""A cell trains for longer than the notebook may take."""
# expect: notebook-cell-timeout
import sys

import nbclient
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

source = 'time.sleep(6)'
notebook = new_notebook(cells=[new_code_cell("import time, os"), new_code_cell(source)])
nbclient.NotebookClient(notebook, timeout=60 if "--fixed" in sys.argv else 2, kernel_name="python3").execute()
print("all cells ran")
