"""`python -m errtriage` is the same as `errtriage`."""

from errtriage.cli import main

main()
