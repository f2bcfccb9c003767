import CSwitchboardTextTables

/// The folding of single scalars: compatibility decomposition, lower case and ASCII digits.
///
/// It also unifies letter forms (final forms, presentation forms, katakana as hiragana) and maps letters without a
/// decomposition (ł, ø) to base letters. The table is a constant of the program and read in place.
enum ScalarFolding {
    /// Private-use marks that the table adds to base letters.
    static let schwaMark: UInt32 = 0xE000
    static let engMark: UInt32 = 0xE001

    /// Returns the positions of the folded scalars, or `nil` if a scalar folds to itself.
    @inline(__always)
    static func range(of scalar: UInt32) -> Range<Int>? {
        // The first numbers are the indices of the first entry of each block of 32 scalars. An entry consists of the
        // position of its first value (19 bits) and the scalar's number in the block.
        guard scalar < 0x30000 else { return nil }
        let block = Int(scalar >> 5)
        for entry in Int(sb_folding_number(block))..<Int(sb_folding_number(block + 1))
        where sb_folding_number(entry) >> 19 == scalar & 31 {
            return Int(sb_folding_number(entry) & 0x7FFFF)..<Int(sb_folding_number(entry + 1) & 0x7FFFF)
        }
        return nil
    }

    /// Returns the folded scalar at a position in the result of ``range(of:)``.
    @inline(__always)
    static func value(at position: Int) -> UInt32 { sb_folding_number(position) }
}
