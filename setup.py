"""The one step of the build that needs code: the example shop goes into the package."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

SHOP = Path("examples/shop")


class BuildWithExample(build_py):
    """Copies `examples/shop`, dot files and all, to where `toolcrib demo` finds it."""

    def run(self) -> None:
        """Build the package, then add the example; a checkout finds it where it lies."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "toolcrib" / SHOP
        ignored = shutil.ignore_patterns("__pycache__", "var")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(SHOP, target, ignore=ignored)


setup(cmdclass={"build_py": BuildWithExample})
