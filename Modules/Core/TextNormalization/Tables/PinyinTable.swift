/// The most common Mandarin reading of each Han character, without tones.
struct PinyinTable: Sendable {
    static let shared = PinyinTable()

    private let syllables: [[UInt16]]

    private init() {
        syllables = Self.syllableData.description.split(whereSeparator: { $0 == " " || $0 == "\n" })
            .map { Array($0.utf16) }
    }

    /// Returns the reading of a character, with `v` for ü, or `nil` if the table has none.
    func reading(of scalar: UInt32) -> [UInt16]? {
        guard scalar >= 0x3400, scalar < 0xA000 else { return nil }
        // Each line of the literal has 55 cells of two characters and a line feed.
        let cell = Int(scalar - 0x3400)
        let offset = cell * 2 + cell / 55
        guard offset + 1 < Self.cells.utf8CodeUnitCount else { return nil }
        // Safe: a string literal has a pointer to all its bytes, and both offsets are within it.
        let start = unsafe Self.cells.utf8Start
        let index = unsafe Int(start[offset]) - 48 + (Int(start[offset + 1]) - 48) << 6
        return index > 0 && index <= syllables.count ? syllables[index - 1] : nil
    }
}
