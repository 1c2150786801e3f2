"""python -m benchmarks.leak"""

import sys

from benchmarks.leak import main

if __name__ == "__main__":
    sys.exit(main())
