/// The number of edits allowed in a word of a query: none below `one` letters, one from there on, and two from `two`
/// letters on.
public struct Fuzziness: Sendable, Hashable {
    /// The minimum number of letters for one edit.
    public var one: Int
    /// The minimum number of letters for two edits; nil to never allow two.
    public var two: Int?

    /// Creates a fuzziness; see the properties.
    public init(one: Int, two: Int?) {
        self.one = one
        self.two = two
    }

    /// The fuzziness of text: one edit from four letters, two from eight.
    public static let text = Fuzziness(one: 4, two: 8)
    /// The fuzziness of keypad input: one edit from five digits.
    public static let keypad = Fuzziness(one: 5, two: nil)

    /// Returns the number of edits that a word of this length may have.
    public func edits(letters: Int) -> Int {
        if let two, letters >= two { return 2 }
        return letters >= one ? 1 : 0
    }
}
