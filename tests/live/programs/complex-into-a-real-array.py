"""A complex number is put into an array of floats."""
# expect: operand-types-unlike
import sys

import numpy as np

spectrum = np.zeros(2, dtype=complex if "--fixed" in sys.argv else float)
spectrum[0] = 1j
print(spectrum)
