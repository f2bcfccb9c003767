/// The keys of letters by several layouts at once: a byte a letter, since a dictionary takes a program that looks up one name longer
/// to fill than the look-up itself.
struct KeyTable {
    /// From the first letter to the last one, 0 where there is no key.
    private var keys = [UInt8](repeating: 0, count: KeyTable.end)

    /// Behind the last letter of any layout, which is Georgian.
    private static let end = 0x1100

    /// Of layouts that contradict each other the first one counts.
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
