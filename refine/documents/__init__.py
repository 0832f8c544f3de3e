"""File formats in and out: bytes become the text of a draft, and Markdown becomes a page or a Word file.

Nothing here knows of runs, models or pages of the app. What needs a library is loaded when it is used.
"""

from refine.documents.opening import ENDINGS, Opened, read, read_file
from refine.documents.plain import ENCODINGS, LIMIT

__all__ = ["ENCODINGS", "ENDINGS", "LIMIT", "Opened", "read", "read_file"]
