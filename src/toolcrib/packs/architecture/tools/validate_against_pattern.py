"""`validate-against-pattern`: does this code do what a documented pattern asks for?"""

from __future__ import annotations

from toolcrib.packs.architecture.patterns import validate_pattern_tool as tool

__all__ = ["tool"]
