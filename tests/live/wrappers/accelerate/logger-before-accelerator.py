"""Accelerate's logger is used before there is an Accelerator."""
# expect: accelerate-not-initialized
# cause: accelerator-never-made
import logging
import sys

from accelerate import Accelerator
from accelerate.logging import get_logger

logging.basicConfig(level=logging.INFO)
logger = get_logger(__name__)
if "--fixed" in sys.argv:
    accelerator = Accelerator(cpu=True)
logger.info("starting with %d rows", 128)
accelerator = Accelerator(cpu=True)
