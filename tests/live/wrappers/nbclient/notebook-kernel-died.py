"""Native code in a cell ends the kernel."""
# expect: notebook-kernel-died
import sys

import nbclient
import nbformat
from nbformat.v4 import new_code_cell, new_notebook

source = "print('trained')" if "--fixed" in sys.argv else "os.kill(os.getpid(), 11)"
notebook = new_notebook(cells=[new_code_cell("import time, os"), new_code_cell(source)])
nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
print("all cells ran")
