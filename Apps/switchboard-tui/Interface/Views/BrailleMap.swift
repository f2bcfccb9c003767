import Foundation
import SwitchboardAirports
import SwitchboardKit

/// A map in braille characters, eight dots each.
struct BrailleMap {
    /// The size in characters.
    let columns: Int
    let rows: Int

    private let west: Double
    private let north: Double
    private let degreesPerDot: (x: Double, y: Double)

    /// Creates a map that shows all points with a margin; the whole world if there are none.
    init(of points: [MapPoint], columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        let (across, down) = (Double(self.columns * 2), Double(self.rows * 4))
        let latitudes = points.map(\.latitude)
        let longitudes = points.map(\.longitude)
        guard let south = latitudes.min(), let top = latitudes.max(), let left = longitudes.min(),
            let right = longitudes.max()
        else {
            (west, north) = (-180, 85)
            degreesPerDot = (360 / across, 145 / down)
            return
        }
        // Degrees of longitude shrink towards the poles.
        let middle = (south + top) / 2
        let shortening = max(0.2, cos(middle * .pi / 180))
        var perDot = max((top - south) * 1.3 / down, (right - left) * 1.3 * shortening / across, 8 / down)
        // At most the whole world.
        perDot = min(perDot, max(360 * shortening / across, 180 / down))
        degreesPerDot = (perDot / shortening, perDot)
        west = (left + right) / 2 - degreesPerDot.x * across / 2
        north = middle + perDot * down / 2
    }

    /// Returns the character and the dot of a point; nil if it is outside the map.
    func dot(of point: MapPoint) -> (column: Int, row: Int, bit: UInt32)? {
        let x = (point.longitude - west) / degreesPerDot.x
        let y = (north - point.latitude) / degreesPerDot.y
        guard x >= 0, y >= 0, x < Double(columns * 2), y < Double(rows * 4) else { return nil }
        let (dotX, dotY) = (Int(x), Int(y))
        // Unicode's braille patterns: dots 1, 2, 3, 7 on the left, 4, 5, 6, 8 on the right.
        let bits: [UInt32] = [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80]
        return (dotX / 2, dotY / 4, bits[(dotX % 2) * 4 + dotY % 4])
    }
}

extension Interface {
    /// The positions of the listed airports and of the selected one; for a city those of its airports.
    private var listedPoints: (points: [MapPoint], selected: [MapPoint]) {
        func points(_ row: Row) -> [MapPoint] {
            guard case .airport(let airport, let airports)? = row.result?.object else { return [] }
            return (airport.isCity && !airports.isEmpty ? airports : [airport]).map { MapPoint($0) }
        }
        return (listing.rows.flatMap(points), listing.row.map(points) ?? [])
    }

    /// Draws the listed airports among all airports, with the selected one highlighted.
    func drawMap(on screen: inout Screen, _ area: Area) {
        guard area.width > 4, area.height > 2 else { return }
        let (points, selected) = listedPoints
        let map = BrailleMap(of: searchLine.isEmpty ? [] : points, columns: area.width, rows: area.height)
        var cells: [[(bits: UInt32, listed: UInt32, isSelected: Bool)]] =
            Array(repeating: Array(repeating: (0, 0, false), count: area.width), count: area.height)
        for point in airportPoints {
            if let dot = map.dot(of: point) { cells[dot.row][dot.column].bits |= dot.bit }
        }
        for point in points {
            if let dot = map.dot(of: point) { cells[dot.row][dot.column].listed |= dot.bit }
        }
        for point in selected {
            if let dot = map.dot(of: point) { cells[dot.row][dot.column].isSelected = true }
        }
        for (row, cells) in cells.enumerated() {
            for (column, cell) in cells.enumerated() where cell.bits | cell.listed != 0 {
                // A cell with a listed airport hides the other dots.
                let bits = cell.listed != 0 ? cell.listed : cell.bits
                let style =
                    cell.isSelected
                    ? Style(.marker, [.bold, .reverse]) : cell.listed != 0 ? Style(.marker, .bold) : .faint
                let text = Unicode.Scalar(0x2800 + bits).map { String($0) } ?? " "
                let glyph = Glyph(text: text, width: 1, style: style)
                screen.write([glyph], row: area.row + row, column: area.column + column)
            }
        }
    }
}
