"""The game master of a physical Werewolf table, as a program."""

import os

# Nothing here multiplies matrices, and to start threads for it is a quarter of numpy's start, in each of our processes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
