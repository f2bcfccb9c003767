import Testing

@testable import SwitchboardTextNormalization

@Suite("The folding table")
struct FoldingTableTests {
    /// Stored texts contain the foldings: a new table requires a higher `FoldedText.serializationVersion`.
    @Test("The foldings are those of the stored format")
    func content() {
        var count = 0
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for scalar: UInt32 in 0..<0x110000 {
            guard let range = ScalarFolding.range(of: scalar) else { continue }
            count += 1
            for value in [scalar] + range.map(ScalarFolding.value) { hash = (hash ^ UInt64(value)) &* 0x100_0000_01B3 }
        }
        #expect(FoldedText.serializationVersion == 2)
        #expect(count == 14_094)
        #expect(hash == 0x12D8_608D_33F0_E46F)
    }
}
