import sys

from benchmarks.ears import main

sys.exit(main())
