"""What an import found, what it could not tell, and what a person should look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from toolcrib.core.support.wording import counted
from toolcrib.packs.climax.importer.model import Note

_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class ImportReport:
    """The account of one import."""

    program: str
    source: str
    style: str
    tools: int
    arguments: int
    notes: Sequence[tuple[str, Note]] = field(default_factory=tuple)
    """The command that each note is about, and the note."""
    commands: Sequence[str] = ()
    """The sub-commands that the program lists, whether or not they were taken over."""

    def text(self) -> str:
        """The report for a person; notes of one kind stand together."""
        found = f"{counted(self.tools, 'tool')} with {counted(self.arguments, 'argument')}"
        lines = [f"{self.program}: {found}, from its {self.source} ({self.style} style)."]
        grouped = self.grouped()
        if grouped:
            lines.append("What could not be told, or needs a look:")
        for reason, subjects in grouped.items():
            shown = ", ".join(subjects[:_MOST_SHOWN])
            more = f" and {len(subjects) - _MOST_SHOWN} more" if len(subjects) > _MOST_SHOWN else ""
            lines.append(f"  - {reason}: {shown}{more}")
        return "\n".join(lines)

    def grouped(self) -> dict[str, list[str]]:
        """What the notes are about, by reason."""
        found: dict[str, dict[str, None]] = {}
        for command, note in self.notes:
            subject = f"{command} {note.subject}" if note.subject else command
            found.setdefault(note.reason, {})[subject] = None
        return {reason: list(subjects) for reason, subjects in found.items()}

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "program": self.program,
            "source": self.source,
            "style": self.style,
            "tools": self.tools,
            "arguments": self.arguments,
            "commands": list(self.commands),
            "notes": [
                {"command": command, "subject": note.subject, "reason": note.reason}
                for command, note in self.notes
            ],
        }
