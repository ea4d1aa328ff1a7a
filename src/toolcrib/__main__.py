"""`python -m toolcrib` is the `toolcrib` command."""

import os
import sys

# `python -m` puts the current folder before everything else: a repository with a yaml.py of its own
# would be run instead of the library.
if sys.path[:1] != [os.path.dirname(os.path.dirname(__file__))]:  # noqa: PTH120
    del sys.path[:1]

from toolcrib.cli import main

raise SystemExit(main())
