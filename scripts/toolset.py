"""Write what `tools/list` says of the guide's tools, from their models, into the package.

python scripts/toolset.py            write src/toolcrib/packs/guide/tools/listed.json
python scripts/toolset.py --check    exit code 1 if it is out of date
"""

from __future__ import annotations

import os
import sys

from toolcrib.packs.guide.environment import EXAMPLES_VARIABLE
from toolcrib.packs.guide.tools.listed import FILE, written


def main() -> int:
    """Write the file, or say that it is out of date."""
    check = sys.argv[1:] == ["--check"]
    os.environ.pop(EXAMPLES_VARIABLE, None)  # the examples are listed by their models alone
    text = written()
    if FILE.is_file() and FILE.read_text(encoding="utf-8") == text:
        return 0
    if not check:
        FILE.write_text(text, encoding="utf-8")
    print(f"{FILE.name} {'is out of date' if check else 'is written'}")
    return 1 if check else 0


if __name__ == "__main__":
    sys.exit(main())
