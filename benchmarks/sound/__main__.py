"""`python -m benchmarks.sound`."""

from benchmarks.sound import main

raise SystemExit(main())
