import sys

from benchmarks.voice import main

sys.exit(main())
