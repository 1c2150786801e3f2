"""python -m benchmarks.ambience"""

import sys

from benchmarks.ambience import main

if __name__ == "__main__":
    sys.exit(main())
