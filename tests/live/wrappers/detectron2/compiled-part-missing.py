"""The compiled part of the package is asked for and was not built."""
# expect: module-not-found, import-name-missing, module-wrongly-built
import sys

if "--fixed" not in sys.argv:
    from detectron2.layers.rotated_boxes import pairwise_iou_rotated

    from detectron2 import _C
print("ready")
