"""`python -m shop`: the management command."""

from __future__ import annotations

import sys

from shop.cli import main

sys.exit(main())
