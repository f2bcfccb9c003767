import CSwitchboardCoastlines
import Foundation
import SwitchboardAirports
import SwitchboardKit
import Synchronization

/// A map in braille characters, eight dots each.
struct BrailleMap: Equatable {
    /// The size in characters.
    let columns: Int
    let rows: Int

    private let west: Double
    private let north: Double
    private let degreesPerDot: Dot

    /// The size of a dot.
    private struct Dot: Equatable {
        var x: Double
        var y: Double
    }

    /// The maximum steps of a zoom in each direction.
    static let maximumZoom = 6

    /// Creates a map that shows all points with a margin, or the whole world if there are none.
    ///
    /// - Parameters:
    ///   - zoom: How often the shown degrees are halved.
    ///   - center: The point in the middle of a map that is zoomed; nil for the middle of the points.
    init(of points: [MapPoint], columns: Int, rows: Int, zoom: Int = 0, center: MapPoint? = nil) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        let (across, down) = (Double(self.columns * 2), Double(self.rows * 4))
        let latitudes = points.map(\.latitude)
        let longitudes = points.map(\.longitude)
        guard let south = latitudes.min(), let top = latitudes.max(), let left = longitudes.min(),
            let right = longitudes.max()
        else {
            (west, north) = (-180, 85)
            degreesPerDot = Dot(x: 360 / across, y: 145 / down)
            return
        }
        // Degrees of longitude shrink toward the poles.
        let middle = zoom == 0 ? (south + top) / 2 : center?.latitude ?? (south + top) / 2
        let shortening = max(0.2, cos(middle * .pi / 180))
        var perDot = max((top - south) * 1.3 / down, (right - left) * 1.3 * shortening / across, 8 / down)
        perDot *= pow(2, -Double(zoom))
        // Show at most the whole world.
        perDot = min(perDot, max(360 * shortening / across, 180 / down))
        degreesPerDot = Dot(x: perDot / shortening, y: perDot)
        let meridian = zoom == 0 ? (left + right) / 2 : center?.longitude ?? (left + right) / 2
        west = meridian - degreesPerDot.x * across / 2
        north = middle + perDot * down / 2
    }

    /// Returns the character and the dot of a point; nil if it is outside the map.
    func dot(of point: MapPoint) -> (column: Int, row: Int, bit: UInt32)? {
        let (x, y) = place(of: point)
        guard x >= 0, y >= 0, x < Double(columns * 2), y < Double(rows * 4) else { return nil }
        return cell(Int(x), Int(y))
    }

    /// Returns the position of a point in dots from the northwest corner.
    private func place(of point: MapPoint) -> (x: Double, y: Double) {
        ((point.longitude - west) / degreesPerDot.x, (north - point.latitude) / degreesPerDot.y)
    }

    private func cell(_ x: Int, _ y: Int) -> (column: Int, row: Int, bit: UInt32) {
        // Unicode's braille patterns: dots 1, 2, 3, 7 on the left, 4, 5, 6, 8 on the right.
        let bits: [UInt32] = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80]
        return (x / 2, y / 4, bits[(x % 2) * 4 + y % 4])
    }

    /// Returns the dots of the coastlines in each character, row by row.
    func coasts() -> [[UInt32]] {
        var bits = Array(repeating: Array(repeating: UInt32(0), count: columns), count: rows)
        let size = (x: Double(columns * 2), y: Double(rows * 4))
        // The map may extend across the meridian where the data ends.
        for shift in [-360.0, 0, 360] {
            for line in Coastlines.lines {
                let (left, top) = place(of: MapPoint(latitude: line.north, longitude: line.west + shift))
                let (right, bottom) = place(of: MapPoint(latitude: line.south, longitude: line.east + shift))
                // Skip islands smaller than a dot, which would be drawn too large.
                guard right >= 0, left < size.x, bottom >= 0, top < size.y, max(right - left, bottom - top) >= 1
                else { continue }
                var previous: (x: Double, y: Double)?
                for point in line.points {
                    let next = place(of: MapPoint(latitude: point.latitude, longitude: point.longitude + shift))
                    if let previous { draw(from: previous, to: next, size, &bits) }
                    previous = next
                }
            }
        }
        return bits
    }

    /// Draws the part of a line that is within the map.
    private func draw(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), _ size: (x: Double, y: Double),
        _ bits: inout [[UInt32]]
    ) {
        guard max(start.x, end.x) >= 0, min(start.x, end.x) < size.x, max(start.y, end.y) >= 0,
            min(start.y, end.y) < size.y
        else { return }
        let steps = max(1, max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up))
        for step in 0...Int(steps) {
            let share = Double(step) / steps
            let x = start.x + (end.x - start.x) * share
            let y = start.y + (end.y - start.y) * share
            guard x >= 0, y >= 0, x < size.x, y < size.y else { continue }
            let cell = cell(Int(x), Int(y))
            bits[cell.row][cell.column] |= cell.bit
        }
    }
}

/// The coastlines of Natural Earth.
enum Coastlines {
    struct Line {
        var points: [MapPoint]
        var west = 180.0
        var east = -180.0
        var south = 90.0
        var north = -90.0
    }

    static let lines: [Line] = {
        var size = 0
        // Safe: the bytes are constant and live as long as the program.
        let bytes = unsafe UnsafeBufferPointer(start: sb_coastlines(&size), count: size)
        var numbers: [Int16] = []
        numbers.reserveCapacity(size / 2)
        for index in stride(from: 0, to: size - 1, by: 2) {
            numbers.append(unsafe Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
        }
        var lines: [Line] = []
        var rest = numbers[...]
        while let count = rest.popFirst(), count > 0, rest.count >= Int(count) * 2 {
            var line = Line(points: [])
            line.points.reserveCapacity(Int(count))
            for _ in 0..<count {
                let longitude = Double(rest.removeFirst()) / 100
                let latitude = Double(rest.removeFirst()) / 100
                line.points.append(MapPoint(latitude: latitude, longitude: longitude))
                (line.west, line.east) = (min(line.west, longitude), max(line.east, longitude))
                (line.south, line.north) = (min(line.south, latitude), max(line.north, latitude))
            }
            lines.append(line)
        }
        return lines
    }()
}

/// The coastlines of the last map, which stay the same while the selection moves.
private let lastCoasts = Mutex<(map: BrailleMap, coasts: [[UInt32]])?>(nil)

extension Interface {
    /// The listed airports, and the codes of the selected ones; a city is replaced by its airports.
    private var listedAirports: (airports: [Airport], selected: Set<String>) {
        func airports(_ row: Row) -> [Airport] {
            guard case .airport(let airport, let airports)? = row.result?.object else { return [] }
            return airport.isCity && !airports.isEmpty ? airports : [airport]
        }
        return (listing.rows.flatMap(airports), Set(listing.row.map(airports)?.map(\.code) ?? []))
    }

    /// Draws the coastlines and the listed airports with their codes, and highlights the selected one.
    func drawMap(zoom: Int, on screen: inout Screen, _ area: Area) {
        guard area.width > 4, area.height > 2 else { return }
        let (airports, selected) = listedAirports
        // Without a text, the suggested airports are shown in the whole world.
        let points = searchLine.isEmpty && zoom == 0 ? [] : airports.map { MapPoint($0) }
        let map = BrailleMap(
            of: points, columns: area.width, rows: area.height, zoom: zoom,
            center: airports.first { selected.contains($0.code) }.map { MapPoint($0) })
        let coasts = lastCoasts.withLock { last in
            if let last, last.map == map { return last.coasts }
            let coasts = map.coasts()
            last = (map, coasts)
            return coasts
        }
        for (row, bits) in coasts.enumerated() {
            for (column, bits) in bits.enumerated() where bits != 0 {
                let text = Unicode.Scalar(0x2800 + bits).map { String($0) } ?? " "
                let glyph = Glyph(text: text, width: 1, style: .faint)
                screen.write([glyph], row: area.row + row, column: area.column + column)
            }
        }
        var taken: Set<Position> = []
        // Place the labels of the selected airports first, and other labels where there is room.
        let ordered = airports.filter { selected.contains($0.code) } + airports.filter { !selected.contains($0.code) }
        for airport in ordered {
            guard let dot = map.dot(of: MapPoint(airport)) else { continue }
            let place = Position(row: dot.row, column: dot.column)
            guard taken.insert(place).inserted else { continue }
            let style = Style(.marker, selected.contains(airport.code) ? [.bold, .reverse] : .bold)
            let row = area.row + dot.row
            screen.write([Glyph(text: "●", width: 1, style: style)], row: row, column: area.column + dot.column)
            let end = dot.column + 1 + airport.code.count
            let cells = (dot.column + 1..<end + 1).map { Position(row: dot.row, column: $0) }
            guard end <= area.width, taken.isDisjoint(with: cells) else { continue }
            taken.formUnion(cells)
            screen.write(airport.code, row: row, column: area.column + dot.column + 1, style: style)
        }
    }
}
