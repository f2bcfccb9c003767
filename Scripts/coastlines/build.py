"""Writes the coastlines of Natural Earth, simplified: build.py FOLDER OUTPUT

FOLDER is the lazy-load database of the R package rnaturalearthdata. OUTPUT has for each line the number of its points, then
the longitude and latitude of each in hundredths of a degree; all numbers are 16-bit, signed and little-endian.
"""
import lzma
import struct
import sys
import warnings
import zlib
from pathlib import Path

import rdata

# The largest error in degrees. On the closest map a dot is a tenth of a degree.
TOLERANCE = 0.05
# Islands and lakes that would be smaller than a dot.
SMALLEST = 0.1


def unpacked(chunk: bytes) -> bytes:
    """A value of a lazy-load database: its size, then its xz stream without container."""
    if chunk[4:5] != b"Z":
        return zlib.decompress(chunk[4:])
    stream = lzma.LZMADecompressor(format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 26}])
    return stream.decompress(chunk[5:])


def converted(data: bytes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes of the package sp are read as plain values
        return rdata.conversion.convert(rdata.parser.parse_data(data))


def lines(folder: Path) -> list[list[tuple[float, float]]]:
    index = converted((folder / "Rdata.rdx").read_bytes())
    offset, length = (int(number) for number in index["variables"]["coastline50"])
    value = converted(unpacked((folder / "Rdata.rdb").read_bytes()[offset:offset + length]))
    return [[(float(x), float(y)) for x, y in line.coords] for lines in value.lines for line in lines.Lines]


def distance(point, start, end) -> float:
    """The distance of a point from a line segment."""
    (x, y), (x0, y0), (x1, y1) = point, start, end
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    along = 0 if square == 0 else max(0, min(1, ((x - x0) * dx + (y - y0) * dy) / square))
    return ((x - x0 - along * dx) ** 2 + (y - y0 - along * dy) ** 2) ** 0.5


def simplified(points):
    """The algorithm of Douglas and Peucker."""
    kept = {0, len(points) - 1}
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        far, index = max(((distance(points[i], points[first], points[last]), i) for i in range(first + 1, last)), default=(0, 0))
        if far > TOLERANCE:
            kept.add(index)
            spans += [(first, index), (index, last)]
    return [points[index] for index in sorted(kept)]


def main() -> None:
    folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    data = bytearray()
    count = points = 0
    for line in lines(folder):
        if all(max(axis) - min(axis) < SMALLEST for axis in zip(*line)):
            continue
        kept = simplified(line)
        data += struct.pack("<h", len(kept))
        for longitude, latitude in kept:
            data += struct.pack("<hh", round(longitude * 100), round(latitude * 100))
        count, points = count + 1, points + len(kept)
    output.write_bytes(data)
    print(f"{count} lines, {points} points, {len(data)} bytes")


if __name__ == "__main__":
    main()
