"""`python -m benchmarks.rules`."""

from benchmarks.rules import main

raise SystemExit(main())
