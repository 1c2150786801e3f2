"""`python -m benchmarks.box`."""

from benchmarks.box import main

raise SystemExit(main())
