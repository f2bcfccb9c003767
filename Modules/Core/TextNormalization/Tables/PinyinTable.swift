/// The most usual Mandarin reading of a han character, without its tone.
struct PinyinTable: Sendable {
    static let shared = PinyinTable()

    private let syllables: [[UInt16]]

    private init() {
        syllables = Self.syllableData.description.split(whereSeparator: { $0 == " " || $0 == "\n" })
            .map { Array($0.utf16) }
    }

    /// The reading, with `v` for ü, or `nil` where the table has none.
    func reading(of scalar: UInt32) -> [UInt16]? {
        guard scalar >= 0x3400, scalar < 0xA000 else { return nil }
        // Lines of the literal are 110 characters, which is 55 cells, and their end.
        let cell = Int(scalar - 0x3400)
        let offset = cell * 2 + cell / 55
        guard offset + 1 < Self.cells.utf8CodeUnitCount else { return nil }
        let start = Self.cells.utf8Start
        let index = Int(start[offset]) - 48 + (Int(start[offset + 1]) - 48) << 6
        return index > 0 && index <= syllables.count ? syllables[index - 1] : nil
    }
}
