/// One slip of the finger: a letter wrong, missing, extra, or swapped with its neighbour, each as often as the others.
public enum Slip {
    /// The letters with one slip, always different from what they were; nil if there are fewer than two.
    ///
    /// - Parameter keys: what a wrong or extra letter is taken from.
    public static func made(
        in letters: [UInt16], keys: [UInt16], using random: inout some RandomNumberGenerator
    ) -> [UInt16]? {
        guard letters.count > 1, !keys.isEmpty else { return nil }
        for _ in 0..<32 {
            var slipped = letters
            let place = Int.random(in: letters.indices, using: &random)
            let key = keys[Int.random(in: keys.indices, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: slipped[place] = key
            case 1: slipped.remove(at: place)
            case 2: slipped.insert(key, at: place)
            default:
                guard place + 1 < letters.count else { continue }
                slipped.swapAt(place, place + 1)
            }
            if slipped != letters { return slipped }
        }
        return nil
    }

    /// The keys of a telephone that carry letters.
    public static let keypad: [UInt16] = Array("23456789".utf16)

    /// The letters of a keyboard.
    public static let letters: [UInt16] = Array("abcdefghijklmnopqrstuvwxyz".utf16)
}
