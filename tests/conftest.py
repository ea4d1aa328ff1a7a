"""What all tests share: a state folder of their own, and patience on busy machines."""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

pytest_plugins = ["support.skips"]

# Hypothesis looks at numpy where it is loaded, and a thread that works out embeddings may be just
# about to load it.
with contextlib.suppress(ImportError):
    importlib.import_module("numpy")

# Busy machines make single examples slow; that says nothing about the code.
settings.register_profile(
    "toolcrib", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("toolcrib")

# No test may touch, or depend on, the state and the caches of whoever runs it.
for variable in ("TOOLCRIB_STATE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
    os.environ[variable] = tempfile.mkdtemp(prefix="toolcrib-")
    atexit.register(shutil.rmtree, os.environ[variable], ignore_errors=True)
# The repositories that tests make are their own: nobody has to look at them first. Tests of trust
# itself, and a second run of the end-to-end tests (make test-untrusted), go without it.
if os.environ.get("TOOLCRIB_TEST_UNTRUSTED") != "1":
    os.environ["TOOLCRIB_TRUST"] = "all"
else:
    # As a person with projects of their own: what lies there at a start is trusted, no more.
    os.environ.pop("TOOLCRIB_TRUST", None)
    own = Path(os.environ["XDG_CONFIG_HOME"], "toolcrib")
    own.mkdir()
    (own / "config.toml").write_text(f'[trust]\npaths = ["{tempfile.gettempdir()}"]\n')
for name in [name for name in os.environ if name.startswith(("MCP_", "DIRECTIVE_LOG", "OTEL_"))]:
    del os.environ[name]
