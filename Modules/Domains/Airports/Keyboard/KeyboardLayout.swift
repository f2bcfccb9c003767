import CSwitchboardAirportCatalogue

/// A keyboard layout: the character of each key, for recovering text typed with the wrong layout.
///
/// A layout consists of four rows of keys, from the key under Escape to the one beside the right Shift, without and
/// with Shift. The same position in two layouts is the same physical key. The tables are in
/// `data/keyboards.tsv` of `CAirportCatalogue`. A space marks a key that writes nothing by itself, such as a
/// dead accent. If two keys write the same letter, the one in the lower row counts.
struct KeyboardLayout: Hashable, Sendable {
    /// The language, with a variant if a language has several layouts: `ru`, `bg-phonetic`.
    let id: String

    let plain: [Unicode.Scalar]
    let shifted: [Unicode.Scalar]
    /// The position of each letter: its key, minus the total number of keys if it needs Shift.
    private var positions: [Unicode.Scalar: Int] = [:]

    private init(_ cells: CellIterator) {
        var cells = cells
        id = cells.take().string
        let rows = (0..<8).map { _ in Array(cells.take().string.unicodeScalars) }
        plain = Array(rows[..<4].joined())
        shifted = Array(rows[4...].joined())
        for (key, letter) in shifted.enumerated() { positions[letter] = key - shifted.count }
        for (key, letter) in plain.enumerated() { positions[letter] = key }
    }

    /// Returns the key that writes a letter, and whether it needs Shift.
    func key(of letter: Unicode.Scalar) -> (key: Int, isShifted: Bool)? {
        guard let position = positions[letter] else { return nil }
        return position < 0 ? (position + shifted.count, true) : (position, false)
    }

    /// English, QWERTY (`us`).
    static let english = all[0]

    static func named(_ id: String) -> KeyboardLayout? {
        all.first { $0.id == id }
    }

    /// All layouts, English first.
    static let all: [KeyboardLayout] = {
        // Safe: the file is a constant of the program, given with its size.
        let table = unsafe TextTable(embedded: sb_keyboards)
        return (0..<table.count).map { KeyboardLayout(table.cells(of: $0)) }
    }()
}
