public import SwitchboardTextNormalization

/// What people are found by: names, other texts, numbers.
public struct PersonTexts: Sendable {
    /// The folded texts.
    public var texts: [FoldedText]
    /// For each text, whether it says who somebody is, rather than something about them.
    public var areNames: [Bool]
    /// For each number the ways to write it: the international one with its `+` first (the one that is searched inside), then the national
    /// one, then with the trunk prefix. Other ways to type a number are made of these by ``PersonQueryPlan``.
    public var numbers: [[String]]

    /// Texts and numbers; see the properties.
    public init(texts: [FoldedText], areNames: [Bool], numbers: [[String]]) {
        self.texts = texts
        self.areNames = areNames
        self.numbers = numbers
    }
}
