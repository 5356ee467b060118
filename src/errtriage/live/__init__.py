"""While the run still lives: the pump that passes its output on, its analyser beside it, `run` and `follow`."""
