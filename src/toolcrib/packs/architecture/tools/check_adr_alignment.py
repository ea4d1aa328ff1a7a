"""`check-adr-alignment`: what do the decisions of this repository say about a new one?"""

from __future__ import annotations

from toolcrib.packs.architecture.alignment.decisions import check_alignment_tool as tool

__all__ = ["tool"]
