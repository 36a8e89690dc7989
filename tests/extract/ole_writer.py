"""An OLE compound file by hand ([MS-CFB], version 3): streams in storages one level deep."""

import struct
from collections.abc import Mapping

SECTOR = 512
END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
NONE = 0xFFFFFFFF
# Smaller streams would be in the mini stream: they are padded instead.
SMALLEST = 4096


def ole(streams: Mapping[str, bytes]) -> bytes:
    """Return a file of streams by path, such as ``BodyText/Section0``."""
    entries = [_Entry("Root Entry", 5)]
    folders: dict[str, int] = {}
    for path, body in streams.items():
        *folder, name = path.split("/")
        parent = 0
        if folder:
            if folder[0] not in folders:
                folders[folder[0]] = len(entries)
                entries.append(_Entry(folder[0], 1))
                entries[0].add(entries, folders[folder[0]])
            parent = folders[folder[0]]
        entries.append(_Entry(name, 2, body.ljust(SMALLEST, b"\0")))
        entries[parent].add(entries, len(entries) - 1)
    sectors: list[bytes] = []
    chains: list[int] = []
    for entry in entries:
        if entry.body:
            entry.start = len(sectors)
            _chain(entry.body, sectors, chains)
    directory = len(sectors)
    _chain(b"".join(entry.packed() for entry in entries), sectors, chains)
    tables = 1
    while (len(sectors) + tables) * 4 > tables * SECTOR:
        tables += 1
    table = chains + [FAT] * tables
    table += [FREE] * (tables * SECTOR // 4 - len(table))
    first = len(sectors)
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, tables, directory, 0, SMALLEST, END, 0, END, 0),
    )
    places = [first + number for number in range(tables)] + [FREE] * (109 - tables)
    packed = struct.pack(f"<{len(table)}I", *table)
    return header + struct.pack("<109I", *places) + b"".join(sectors) + packed


class _Entry:
    def __init__(self, name: str, kind: int, body: bytes = b"") -> None:
        self.name, self.kind, self.body = name, kind, body
        self.start, self.child, self.right = END, NONE, NONE

    def add(self, entries: "list[_Entry]", number: int) -> None:
        """A child; siblings hang in a row."""
        if self.child == NONE:
            self.child = number
            return
        last = entries[self.child]
        while last.right != NONE:
            last = entries[last.right]
        last.right = number

    def packed(self) -> bytes:
        name = self.name.encode("utf-16-le")
        return struct.pack(
            "<64sHBBIII36xIQ",
            name,
            len(name) + 2,
            self.kind,
            1,
            NONE,
            self.right,
            self.child,
            0 if self.kind == 1 else self.start,
            len(self.body),
        )


def _chain(body: bytes, sectors: list[bytes], chains: list[int]) -> None:
    count = -(-len(body) // SECTOR)
    for at in range(count):
        sectors.append(body[at * SECTOR : (at + 1) * SECTOR].ljust(SECTOR, b"\0"))
        chains.append(END if at == count - 1 else len(sectors))
