import SwitchboardKeypad
public import SwitchboardSearchEngine
public import SwitchboardTextNormalization

/// A value of a document in a field of an index: its source and its words.
///
/// The index identifies matches by value, word and spelling. Indexing and highlighting must therefore use the same
/// values in the same order.
public struct FieldValue: Sendable {
    /// The source of a value.
    public enum Source: Sendable, Hashable {
        /// A text of the document, by position.
        case text(Int)
        /// A number of the document, by position.
        case number(Int)
    }

    /// The symbols by which words are found.
    public enum Spelling: Sendable {
        /// The folded letters.
        case letters
        /// The digits on a keypad.
        case keys

        /// Returns the spellings of a word and their indices in the folded word.
        fileprivate func spellings(of word: FoldedWord) -> (letters: [[UInt16]], origins: [Int]) {
            switch self {
            case .letters: return (word.spellings.map(\.letters), Array(word.spellings.indices))
            case .keys:
                let keys = keypadSpellings(of: word)
                return (keys.map { $0.digits.map(UInt16.init) }, keys.map(\.spelling))
            }
        }
    }

    /// A word of a value.
    public struct Word: Sendable {
        /// The position of the word in the folded text.
        public var position: Int
        /// The letters of each spelling.
        public var spellings: [[UInt16]]
        /// The index of each spelling in the folded word or, in a joined word, its track.
        public var origins: [Int]
        /// The number of spellings that infix search covers.
        public var infixSpellings = Int.max
        /// Indicates that the word joins all words of the text from the position on.
        fileprivate var isJoined = false
    }

    /// The source of the value.
    public var source: Source
    /// The words, in order.
    public var words: [Word]
    private var spelling = Spelling.letters

    /// Creates a value of one word, such as a number in several formats. Infix search covers only the first format.
    public init(number position: Int, formats: [String]) {
        source = .number(position)
        words = [
            Word(
                position: 0, spellings: formats.map { Array($0.utf16) }, origins: Array(formats.indices),
                infixSpellings: 1)
        ]
    }

    /// Creates a value from a text, or returns nil if it has no words with letters.
    ///
    /// - Parameters:
    ///   - position: The position of the text in the document.
    ///   - text: The folded text.
    ///   - spelling: The symbols by which its words are found.
    public init?(text position: Int, _ text: FoldedText, as spelling: Spelling = .letters) {
        self.init(text: position, words: text.words, as: spelling)
    }

    /// Creates a value from the words of a folded text, or returns nil if no word has letters.
    public init?(text position: Int, words text: [FoldedWord], as spelling: Spelling = .letters) {
        source = .text(position)
        words = []
        self.spelling = spelling
        for (number, word) in text.enumerated() {
            let (letters, origins) = spelling.spellings(of: word)
            if !letters.isEmpty { words.append(Word(position: number, spellings: letters, origins: origins)) }
        }
        if words.isEmpty { return nil }
    }

    /// The maximum length of joined words; longer ones are truncated.
    private static let maxJoinedLength = 60

    /// Creates a value of a single word by joining the words of a text, from a given word on, without gaps.
    ///
    /// A query whose words are joined too then finds "Los Angeles" as "losangeles" and "Frankfurt" as "frank furt".
    ///
    /// - Parameters:
    ///   - words: The words to join, by their position in the folded text.
    ///   - position: The position of the text in the document.
    ///   - spelling: The symbols by which they are found.
    ///   - maxSpellings: The maximum number of distinct spellings. Common ones come first.
    ///   - isWanted: Returns `true` for the spellings to keep.
    public init(
        joining words: ArraySlice<FoldedWord>, text position: Int = 0, as spelling: Spelling = .letters,
        maxSpellings: Int = .max, where isWanted: ([UInt16]) -> Bool = { _ in true }
    ) {
        source = .text(position)
        self.spelling = spelling
        var joined = Word(position: words.startIndex, spellings: [], origins: [], isJoined: true)
        let all = words.map { spelling.spellings(of: $0).letters }
        // If one word has no spellings, neither does the joined word.
        let tracks = all.contains(where: \.isEmpty) ? 0 : all.map(\.count).max() ?? 0
        for track in 0..<tracks where joined.spellings.count < maxSpellings {
            var letters: [UInt16] = []
            for word in all where letters.count < FieldValue.maxJoinedLength {
                letters += word[min(track, word.count - 1)]
            }
            letters.removeLast(max(letters.count - FieldValue.maxJoinedLength, 0))
            if !letters.isEmpty, isWanted(letters), !joined.spellings.contains(letters) {
                joined.spellings.append(letters)
                joined.origins.append(track)
            }
        }
        self.words = [joined]
    }

    /// Returns the ranges that a match covers in the text that the value was created from, in Unicode scalars of its
    /// source. Empty if the value does not contain the match.
    public func ranges(of match: WordMatch, in text: [FoldedWord]) -> [Range<Int>] {
        guard let (word, origin) = origin(of: match), text.indices.contains(word.position) else { return [] }
        if !word.isJoined {
            let spellings = text[word.position].spellings
            return spellings.indices.contains(origin) ? [spellings[origin].source(of: match.letters)] : []
        }
        var ranges: [Range<Int>] = []
        var start = 0
        for word in text[word.position...] where start < match.letters.upperBound {
            let (letters, origins) = spelling.spellings(of: word)
            guard !letters.isEmpty else { break }
            let track = min(origin, letters.count - 1)
            let part = match.letters.clamped(to: start..<start + letters[track].count)
            if !part.isEmpty {
                ranges.append(
                    word.spellings[origins[track]].source(of: part.lowerBound - start..<part.upperBound - start))
            }
            start += letters[track].count
        }
        return ranges
    }

    /// Returns the matched word and the origin of the matched spelling, or nil if the value does not contain them.
    fileprivate func origin(of match: WordMatch) -> (word: Word, origin: Int)? {
        guard words.indices.contains(match.word) else { return nil }
        let word = words[match.word]
        return word.origins.indices.contains(match.spelling) ? (word, word.origins[match.spelling]) : nil
    }
}

extension IndexBuilder {
    /// Adds a value to a field of the current document.
    public mutating func add(_ value: FieldValue, field: Int) {
        beginValue(field: field)
        for word in value.words { addWord(word.spellings, infixSpellings: word.infixSpellings) }
    }
}

/// The location of a match in the texts and numbers of a document.
public enum MatchLocation: Sendable, Hashable {
    /// A range of a text, in Unicode scalars of its source.
    case text(Int, Range<Int>)
    /// A range of letters in one of the formats of a number.
    case number(Int, format: Int, letters: Range<Int>)

    /// Returns the locations of one match of a hit, or an empty array if the values do not contain it.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - values: The values of its field, as they were added to the index.
    ///   - texts: The folded texts of the document.
    public static func locations(
        of match: WordMatch, in values: [FieldValue], _ texts: [FoldedText]
    ) -> [MatchLocation] {
        guard values.indices.contains(match.value) else { return [] }
        return locations(of: match, in: values[match.value]) { texts.indices.contains($0) ? texts[$0] : nil }
    }

    /// Returns the locations of a match in its value. `text` returns the text at a position of the document.
    package static func locations(
        of match: WordMatch, in value: FieldValue, text: (Int) -> FoldedText?
    ) -> [MatchLocation] {
        switch value.source {
        case .number(let position):
            value.origin(of: match).map { [.number(position, format: $0.origin, letters: match.letters)] } ?? []
        case .text(let position):
            text(position).map { value.ranges(of: match, in: $0.words).map { .text(position, $0) } } ?? []
        }
    }
}

extension PlainWords {
    /// Returns the range of a match in a word, in Unicode scalars of the text; nil if the word does not contain it in its
    /// first spelling.
    package func range(of match: WordMatch, inWord number: Int) -> Range<Int>? {
        guard match.spelling == 0, let word = self[number], match.letters.upperBound <= word.count else { return nil }
        return word.lowerBound + match.letters.lowerBound..<word.lowerBound + match.letters.upperBound
    }
}

extension SpellingRules {
    /// The rules for words folded to Latin letters: Meyer and Maier, Mohamed and Muhammad.
    public static let soundAlikes = SpellingRules(
        SoundAlikes.groups.map { group in
            let place: Group.Place =
                switch group.place {
                case .anywhere: .anywhere
                case .start: .start
                case .end: .end
                }
            return Group(group.spellings.map { Array($0.utf16) }, place: place, cost: group.cost)
        })
}
