import SwitchboardTestSupport
import Testing

@testable import SwitchboardAirports

@Suite("The sphere tree")
struct SphereTreeTests {
    /// Returns places spread over the globe, with clusters at the poles and on the antimeridian, and with duplicates.
    private func places(_ count: Int, _ random: inout SplitMix) throws -> [(id: Int, place: Coordinate)] {
        var places: [(id: Int, place: Coordinate)] = []
        for id in 0..<count {
            let kind = Int.random(in: 0..<6, using: &random)
            if kind == 5, let twin = places.randomElement(using: &random) {
                places.append((id, twin.place))
                continue
            }
            let latitude: ClosedRange<Double> = kind == 0 ? 89...90 : kind == 1 ? -90 ... -89 : -90...90
            let longitude: ClosedRange<Double> = kind == 2 ? 179...180 : kind == 3 ? -180 ... -179 : -180...180
            places.append(
                (
                    id,
                    try Coordinate(
                        latitude: .random(in: latitude, using: &random),
                        longitude: .random(in: longitude, using: &random))
                ))
        }
        return places
    }

    @Test("returns the results of an exhaustive search, for every count and radius")
    func bruteForce() throws {
        var random = SplitMix(seed: 11)
        for count in Array(0...33) + [100, 1_000] {
            let places = try places(count, &random)
            let tree = SphereTree(places)
            #expect(tree.count == count)
            #expect(tree.satisfiesInvariants())
            for target in try self.places(8, &random).map(\.place) + places.prefix(4).map(\.place) {
                let all = places.map { SphereTree.Neighbor(id: $0.id, distance: target.distance(to: $0.place)) }
                    .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
                for limit in [0, 1, 2, 3, 10, count, count + 5] {
                    expectEqual(tree.nearest(limit, to: target), Array(all.prefix(limit)))
                }
                for radius in [0, 1, 50, 500, 5_000, 19_000, 20_016, 1e9] {
                    expectEqual(tree.within(radius, of: target), all.filter { $0.distance <= radius })
                }
            }
        }
    }

    /// Equal except for points on the far side of the Earth, where a chord cannot resolve a millimeter of distance.
    private func expectEqual(_ found: [SphereTree.Neighbor], _ expected: [SphereTree.Neighbor]) {
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) where found != expected {
            #expect(abs(found.distance - expected.distance) < 1e-3)
            #expect(expected.distance > 19_900)
        }
    }

    @Test("many points at one location are all found")
    func samePlace() throws {
        let place = try Coordinate(latitude: 10, longitude: 20)
        let tree = SphereTree((0..<500).map { ($0, place) })
        #expect(tree.within(0, of: place).map(\.id) == Array(0..<500))
        #expect(tree.nearest(7, to: place).map(\.id) == Array(0..<7))
    }

    @Test("empty trees and invalid arguments return nothing")
    func nothing() throws {
        let place = try Coordinate(latitude: 0, longitude: 0)
        let tree = SphereTree([(0, place)])
        #expect(tree.nearest(-1, to: place).isEmpty)
        #expect(tree.within(-1, of: place).isEmpty)
        #expect(tree.within(.nan, of: place).isEmpty)
        #expect(SphereTree([]).nearest(5, to: place).isEmpty)
        #expect(SphereTree([]).within(5, of: place).isEmpty)
    }
}
