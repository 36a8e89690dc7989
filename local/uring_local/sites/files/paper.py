"""The content of a file, independent of its format."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table, with the number of rows and columns that it spans."""

    text: str
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table; a cell that spans several places is listed at the first one only, as in HTML."""

    rows: tuple[tuple[Cell, ...], ...]

    def placed(self) -> Iterator[tuple[int, int, Cell]]:
        """Yield each cell with its row and column, from 0."""
        taken: set[tuple[int, int]] = set()
        for row, cells in enumerate(self.rows):
            column = 0
            for cell in cells:
                while (row, column) in taken:
                    column += 1
                yield row, column, cell
                taken |= {
                    (row + down, column + right)
                    for down in range(cell.rows)
                    for right in range(cell.columns)
                }

    @property
    def width(self) -> int:
        """The number of columns."""
        return max((column + cell.columns for _, column, cell in self.placed()), default=0)


@dataclass(frozen=True, slots=True)
class Paper:
    """A document; a paragraph may have tabs and line breaks inside."""

    title: str
    paragraphs: tuple[str | Table, ...]


def table(*rows: tuple[str | Cell, ...]) -> Table:
    """Return a table of texts and cells."""
    return Table(
        tuple(tuple(Cell(cell) if isinstance(cell, str) else cell for cell in row) for row in rows)
    )
