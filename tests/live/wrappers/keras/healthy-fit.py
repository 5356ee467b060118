"""A classifier learns with validation, early stopping and checkpoints."""
# expect: nothing
import os
import sys

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np

rng = np.random.default_rng(1)
keras.utils.set_random_seed(1)
x = rng.normal(size=(256, 16)).astype("float32")
y = (x[:, 0] + x[:, 1] > 0).astype("int64")
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
model.compile(
    optimizer=keras.optimizers.Adam(0.01), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"],
)
model.summary()
model.fit(
    x, y, epochs=8, batch_size=32, validation_split=0.2, verbose=1,
    callbacks=[keras.callbacks.EarlyStopping(patience=3), keras.callbacks.ModelCheckpoint("best.keras", save_best_only=True)],
)
print(model.evaluate(x, y, verbose=0))
