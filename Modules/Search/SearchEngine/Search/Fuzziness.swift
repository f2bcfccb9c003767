/// How many edits a word of a query may have: none below `one` letters, one from there, two from `two` letters on.
public struct Fuzziness: Sendable, Hashable {
    /// The least number of letters for one edit.
    public var one: Int
    /// The least number of letters for two edits, or nil for never.
    public var two: Int?

    /// An allowance; see the properties.
    public init(one: Int, two: Int?) {
        self.one = one
        self.two = two
    }

    /// Text: one from four letters, two from eight.
    public static let text = Fuzziness(one: 4, two: 8)
    /// Keypad: one from five digits.
    public static let keypad = Fuzziness(one: 5, two: nil)

    /// The edits that a word of so many letters may have.
    public func edits(letters: Int) -> Int {
        if let two, letters >= two { return 2 }
        return letters >= one ? 1 : 0
    }
}
