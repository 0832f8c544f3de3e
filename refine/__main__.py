"""`python -m refine`."""

from __future__ import annotations

import os
import sys

try:
    from refine.beside import busy
    from refine.cli import main
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    status = main()
    if busy():
        os._exit(status)
    sys.exit(status)
