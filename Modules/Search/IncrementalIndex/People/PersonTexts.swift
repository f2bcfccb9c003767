public import SwitchboardTextNormalization

/// The searchable texts and numbers of a person.
public struct PersonTexts: Sendable {
    /// The folded texts.
    public var texts: [FoldedText]
    /// For each text, `true` if it is a name and `false` if it is a detail such as a note.
    public var areNames: [Bool]
    /// The formats of each number: the international one with its `+` (the one that can be searched inside), the
    /// national one, and the one with the trunk prefix. ``PersonQueryPlan`` converts other ways to type a number to
    /// these.
    public var numbers: [[String]]

    /// Creates the searchable texts of a person; see the properties.
    public init(texts: [FoldedText], areNames: [Bool], numbers: [[String]]) {
        self.texts = texts
        self.areNames = areNames
        self.numbers = numbers
    }
}
