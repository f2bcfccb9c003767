import Foundation
import Testing

@testable import SwitchboardAlgorithms

@Suite("ISO 8601 times")
struct ISO8601Tests {
    @Test(
        "agrees with Foundation on boundary values",
        arguments: [
            0, -1, 0.999_999, -0.000_001, 951_782_399, 951_782_400, 951_868_799, 951_868_800, 4_107_542_399,
            4_107_542_400,
            -2_203_891_200, 1_795_248_000.5, -62_135_596_800, -62_135_596_801, 253_402_300_799, 253_402_300_800,
            -11_676_096_000, -12_219_292_800, -12_219_292_801,
        ])
    func special(seconds: Double) {
        let time = Date(timeIntervalSince1970: seconds)
        #expect(time.iso8601 == time.formatted(.iso8601))
    }

    @Test("agrees with Foundation on random times")
    func random() {
        var state: UInt64 = 1
        for _ in 0..<10_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let share = Double(state >> 11) / Double(1 << 53)
            let time = Date(timeIntervalSince1970: -60_000_000_000 + share * 300_000_000_000)
            #expect(time.iso8601 == time.formatted(.iso8601))
        }
    }
}
