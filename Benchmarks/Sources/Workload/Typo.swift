/// A typo: a letter wrong, missing, extra, or swapped with its neighbor, each equally likely.
public enum Typo {
    /// Returns the letters with one typo, always different from the input, or nil if there are fewer than two.
    ///
    /// - Parameter keys: The letters from which a wrong or extra one is chosen.
    public static func applied(
        to letters: [UInt16], keys: [UInt16], using random: inout some RandomNumberGenerator
    ) -> [UInt16]? {
        guard letters.count > 1, !keys.isEmpty else { return nil }
        for _ in 0..<32 {
            var misspelled = letters
            let position = Int.random(in: letters.indices, using: &random)
            let key = keys[Int.random(in: keys.indices, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: misspelled[position] = key
            case 1: misspelled.remove(at: position)
            case 2: misspelled.insert(key, at: position)
            default:
                guard position + 1 < letters.count else { continue }
                misspelled.swapAt(position, position + 1)
            }
            if misspelled != letters { return misspelled }
        }
        return nil
    }

    /// The keypad keys that carry letters.
    public static let keypad: [UInt16] = Array("23456789".utf16)

    /// The letters of a keyboard.
    public static let letters: [UInt16] = Array("abcdefghijklmnopqrstuvwxyz".utf16)
}
