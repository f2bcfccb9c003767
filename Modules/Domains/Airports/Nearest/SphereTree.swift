#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A nearest-neighbor index of points on Earth: a k-d tree on unit vectors.
///
/// Unit vectors need no special cases for the antimeridian and the poles, and the chord between two points grows with
/// the distance on the ground (Bentley, "Multidimensional binary search trees used for associative searching", 1975).
/// The tree is implicit: the middle point of a range splits it, on x, y and z in turn, so it is one flat array without
/// links. Building is O(n log n). Finding the k nearest is O(k log k + log n) on average, all within a radius O(found +
/// √n).
struct SphereTree: Sendable {
    struct Neighbor: Equatable, Sendable {
        let id: Int
        /// The distance in kilometers from the search location.
        let distance: Double
    }

    private struct Point {
        var x: Double
        var y: Double
        var z: Double
        var id: Int
        var place: Coordinate

        init(_ id: Int, _ place: Coordinate) {
            let latitude = place.latitude * .pi / 180
            let longitude = place.longitude * .pi / 180
            x = cos(latitude) * cos(longitude)
            y = cos(latitude) * sin(longitude)
            z = sin(latitude)
            self.id = id
            self.place = place
        }

        func coordinate(_ axis: Int) -> Double {
            axis == 0 ? x : axis == 1 ? y : z
        }

        /// Returns the squared chord between two points, 0…4.
        func chord(to other: Point) -> Double {
            let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
            return dx * dx + dy * dy + dz * dz
        }
    }

    private let points: [Point]

    init(_ places: [(id: Int, place: Coordinate)]) {
        var points = places.map { Point($0.id, $0.place) }
        var pending = [(low: 0, high: points.count, axis: 0)]
        while let range = pending.popLast() {
            guard range.high - range.low > 1 else { continue }
            let middle = (range.low + range.high) / 2
            Self.select(middle, in: &points, from: range.low, to: range.high, axis: range.axis)
            let next = (range.axis + 1) % 3
            pending.append((range.low, middle, next))
            pending.append((middle + 1, range.high, next))
        }
        self.points = points
    }

    var count: Int { points.count }

    // MARK: - Searching

    /// Returns the `limit` points nearest to a place, nearest first; ties are ordered by identifier.
    func nearest(_ limit: Int, to place: Coordinate) -> [Neighbor] {
        guard limit > 0 else { return [] }
        // Many points are found faster by sorting all of them.
        guard limit < points.count / 8 else { return Array(sorted(Array(points.indices), from: place).prefix(limit)) }
        var best: [(chord: Double, id: Int, index: Int)] = []
        visit(from: Point(-1, place), within: { best.count < limit ? .infinity : best[limit - 1].chord }) {
            var position = best.count
            while position > 0, ($2, $0.id) < (best[position - 1].chord, best[position - 1].id) { position -= 1 }
            if best.count == limit {
                if position == limit { return }
                best.removeLast()
            }
            best.insert(($2, $0.id, $1), at: position)
        }
        return sorted(best.map(\.index), from: place)
    }

    /// Returns all points within `radius` kilometers of a place, nearest first.
    func within(_ radius: Double, of place: Coordinate) -> [Neighbor] {
        guard radius >= 0 else { return [] }
        // Search slightly beyond the chord of the radius; the distance on the ground then decides.
        let angle = min(radius / Coordinate.earthRadius, .pi)
        let chord = 2 * sin(angle / 2)
        let bound = chord * chord * (1 + 1e-9) + 1e-12
        var indices: [Int] = []
        visit(from: Point(-1, place), within: { bound }) { _, index, _ in indices.append(index) }
        return sorted(indices, from: place).filter { $0.distance <= radius }
    }

    private func sorted(_ indices: [Int], from place: Coordinate) -> [Neighbor] {
        indices.map { Neighbor(id: points[$0].id, distance: place.distance(to: points[$0].place)) }
            .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
    }

    /// Calls `body` with each point of a range whose squared chord to `target` is at most the current value of `bound`.
    ///
    /// - Parameters:
    ///   - range: The range, or nil for all points.
    ///   - nearest: A lower bound of the squared chord to any point of the range.
    private func visit(
        _ range: Range<Int>? = nil, axis: Int = 0, nearest: Double = 0, from target: Point, within bound: () -> Double,
        _ body: (Point, _ index: Int, _ chord: Double) -> Void
    ) {
        let range = range ?? points.indices
        guard !range.isEmpty, nearest <= bound() else { return }
        let middle = (range.lowerBound + range.upperBound) / 2
        let point = points[middle]
        let chord = point.chord(to: target)
        if chord <= bound() { body(point, middle, chord) }
        let offset = target.coordinate(axis) - point.coordinate(axis)
        let (left, right) = (range.lowerBound..<middle, middle + 1..<range.upperBound)
        let next = (axis + 1) % 3
        visit(offset > 0 ? right : left, axis: next, nearest: nearest, from: target, within: bound, body)
        visit(
            offset > 0 ? left : right, axis: next, nearest: max(nearest, offset * offset), from: target, within: bound,
            body)
    }

    // MARK: - Building

    /// Partitions a range so that the point at index `middle` is in its sorted position (Hoare, "Algorithm 65: find",
    /// 1961).
    private static func select(_ middle: Int, in points: inout [Point], from low: Int, to high: Int, axis: Int) {
        var points = points.mutableSpan
        var (left, right) = (low, high - 1)
        while left < right {
            let pivot = points[(left + right) / 2].coordinate(axis)
            var (i, j) = (left, right)
            while i <= j {
                while points[i].coordinate(axis) < pivot { i += 1 }
                while pivot < points[j].coordinate(axis) { j -= 1 }
                if i <= j {
                    points.swapAt(i, j)
                    i += 1
                    j -= 1
                }
            }
            if j < middle { left = i }
            if middle < i { right = j }
        }
    }

    /// Returns `true` if every point is on its side of the points above it, for tests. O(n log n).
    func satisfiesInvariants() -> Bool {
        var pending = [(low: 0, high: points.count, axis: 0)]
        while let range = pending.popLast() {
            guard range.low < range.high else { continue }
            let middle = (range.low + range.high) / 2
            let split = points[middle].coordinate(range.axis)
            for index in range.low..<middle where points[index].coordinate(range.axis) > split { return false }
            for index in middle..<range.high where points[index].coordinate(range.axis) < split { return false }
            pending.append((range.low, middle, (range.axis + 1) % 3))
            pending.append((middle + 1, range.high, (range.axis + 1) % 3))
        }
        return true
    }
}
