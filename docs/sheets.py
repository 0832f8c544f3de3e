"""A contact sheet: one state of a page in light and dark, English and Chinese, wide and narrow, on one picture."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

Size = tuple[int, int]
Shoot = Callable[[Size, bool, str], bytes]
"""(size, dark?, locale) -> a PNG."""

SIZES: tuple[Size, ...] = ((1440, 1100), (420, 1100))
LOCALES = ("en-GB", "zh-CN")
SCALE = 0.5
GAP, LABEL = 16, 22
COLOURS = 160
"""In the palette of a sheet: text stays readable and the file small."""


def sheet(shoot: Shoot, path: Path) -> None:
    """Takes all eight pictures of a state: a row for light, one for dark."""
    widths = [round(width * SCALE) for _locale in LOCALES for width, _height in SIZES]
    height = round(SIZES[0][1] * SCALE)
    page = Image.new("RGB", (sum(widths) + GAP * (len(widths) + 1), 2 * (height + LABEL + GAP) + GAP), "#8a8680")
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(13)
    for row, dark in enumerate((False, True)):
        x, y = GAP, GAP + row * (height + LABEL + GAP)
        for locale in LOCALES:
            for size in SIZES:
                picture = Image.open(io.BytesIO(shoot(size, dark, locale))).convert("RGB")
                small = picture.resize((round(size[0] * SCALE), height), Image.Resampling.LANCZOS)
                draw.text((x, y), f"{locale} {'dark' if dark else 'light'} {size[0]}", "white", font)
                page.paste(small, (x, y + LABEL))
                x += small.width + GAP
    path.parent.mkdir(parents=True, exist_ok=True)
    small = page.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
