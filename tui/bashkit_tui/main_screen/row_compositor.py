"""Painting no more rows than have changed: a key that moves the cursor costs two lines, not all lines of all widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual._compositor import Compositor
from textual.geometry import Region

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.strip import Strip


class RowCompositor(Compositor):
    """Renders the widgets that a change overlaps, and of these the rows that it covers.

    Textual's own takes the region that a widget is clipped to for its own region, so that whatever fills a part of the screen is
    rendered whole, with every change.
    """

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        changed = self.size.region if crop is None else crop
        rows = Region(0, changed.y, self.size.width, changed.height)
        top, bottom = changed.y, changed.bottom
        for widget, (region, clip) in self.visible_widgets.items():
            if region.y >= bottom or region.y + region.height <= top:
                continue  # most of them; an intersection costs more
            shown = region.intersection(clip)
            if changed.overlaps(shown):
                shown = shown.intersection(rows)
                yield region, shown, widget.render_lines(shown.translate((-region.x, -region.y)))
