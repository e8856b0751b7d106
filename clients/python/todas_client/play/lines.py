"""Lines of a fixed width, side by side and wrapped: what the pages are laid out with."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from rich.text import Text

TITLE: Final = (" TODAS ", "bold black on gold1")
"""What every page begins with."""


def fitted(line: Text, width: int) -> Text:
    """The line, cut to the width."""
    cut = line.copy()
    cut.truncate(width, overflow="ellipsis")
    return cut


def padded(line: Text, width: int) -> Text:
    """The line, cut or filled to the width."""
    cut = fitted(line, width)
    return cut.append(" " * (width - cut.cell_len))


def right(line: Text, width: int) -> Text:
    """The line at the right end of the width."""
    cut = fitted(line, width)
    return Text(" " * (width - cut.cell_len)).append_text(cut)


def centred(line: Text, width: int) -> Text:
    """The line in the middle of the width."""
    cut = fitted(line, width)
    return Text(" " * ((width - cut.cell_len) // 2)).append_text(cut)


def wrapped(parts: Iterable[Text], width: int) -> list[Text]:
    """The parts with a space between, on as many lines as they take."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + 1 + part.cell_len <= width:
            lines[-1].append(" ").append_text(part)
        else:
            lines.append(part.copy())
    return lines


def beside(*columns: tuple[list[Text], int]) -> list[Text]:
    """Columns of lines with their widths, a space between them."""
    rows = zip_longest(*(lines for lines, _ in columns), fillvalue=Text())
    widths = [width for _, width in columns]
    return [Text(" ").join(padded(cell, width) for cell, width in zip(row, widths, strict=True)) for row in rows]
