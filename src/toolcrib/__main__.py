"""`python -m toolcrib` is the `toolcrib` command."""

from toolcrib.cli import main

raise SystemExit(main())
