/// The keys of the letters of several layouts. Filling a dictionary would take longer than a single lookup.
struct KeyTable {
    /// The key of each letter, or 0.
    private var keys = [UInt8](repeating: 0, count: KeyTable.end)

    /// The end of the letters of all layouts; the last one is Georgian.
    private static let end = 0x1100

    /// Creates a table of several layouts. Where they differ, the first one wins.
    init(_ layouts: [KeypadLayout]) {
        for layout in layouts.reversed() {
            layout.forEachLetter { letter, key in
                if Int(letter) < KeyTable.end { keys[Int(letter)] = key }
            }
        }
    }

    subscript(letter: UInt16) -> UInt8? {
        guard Int(letter) < KeyTable.end, keys[Int(letter)] != 0 else { return nil }
        return keys[Int(letter)]
    }
}
