"""The data set is named in the configuration and never registered."""
# expect: registry-key-missing
# cause: dataset-not-registered
import sys

import numpy as np
from detectron2.config import get_cfg
from detectron2.data import DatasetCatalog, MetadataCatalog
from detectron2.engine import DefaultTrainer
from detectron2.structures import BoxMode
from PIL import Image

Image.fromarray(np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8)).save("0.png")


def shapes():
    box = {"bbox": [10, 10, 40, 40], "bbox_mode": BoxMode.XYXY_ABS, "category_id": 0}
    return [{"file_name": "0.png", "image_id": i, "height": 64, "width": 64, "annotations": [box]} for i in range(8)]


def configured():
    cfg = get_cfg()
    cfg.MODEL.META_ARCHITECTURE = "RetinaNet"
    cfg.MODEL.BACKBONE.NAME = "build_retinanet_resnet_fpn_backbone"
    cfg.MODEL.RESNETS.OUT_FEATURES = ["res3", "res4", "res5"]
    cfg.MODEL.RESNETS.DEPTH = 18
    cfg.MODEL.RESNETS.RES2_OUT_CHANNELS = 64
    cfg.MODEL.FPN.IN_FEATURES = ["res3", "res4", "res5"]
    cfg.MODEL.ANCHOR_GENERATOR.SIZES = [[x, x * 2 ** (1.0 / 3), x * 2 ** (2.0 / 3)] for x in [32, 64, 128, 256, 512]]
    cfg.MODEL.RETINANET.NUM_CLASSES = 2
    cfg.MODEL.WEIGHTS = ""
    cfg.MODEL.DEVICE = "cpu"
    cfg.INPUT.MIN_SIZE_TRAIN = (64,)
    cfg.DATALOADER.NUM_WORKERS = 0
    cfg.SOLVER.IMS_PER_BATCH = 2
    cfg.SOLVER.MAX_ITER = 2
    cfg.SOLVER.BASE_LR = 0.001
    cfg.OUTPUT_DIR = "."
    cfg.DATASETS.TRAIN = ("shapes_train",)
    cfg.DATASETS.TEST = ()
    return cfg



if "--fixed" in sys.argv:
    DatasetCatalog.register("shapes_train", shapes)
MetadataCatalog.get("shapes_train").thing_classes = ["square", "circle"]
trainer = DefaultTrainer(configured())
trainer.train()
