import SwitchboardKeypad
public import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// An index of people in memory, with the fields and tiers of contacts, without a database.
public struct NameIndex: Sendable {
    /// The finished index.
    public let index: SearchIndex

    private enum Field: Int, CaseIterable {
        case keypadNames, numbers, names

        var options: FieldOptions {
            self == .numbers ? [.wordSuffixes, .infixByDocument] : [.wordSuffixes, .initials, .infix, .typos]
        }
    }

    /// The source of the index: folded texts, as they are stored with each contact.
    public struct Source: Sendable {
        fileprivate var texts: [FoldedText]
        fileprivate var numbers: [String]

        /// Folds the names and numbers of a person.
        public init(_ person: Person) {
            texts = [person.name, person.phoneticName, person.nickname, person.organization].compactMap { $0 }
                .map { FoldedText($0) }
            numbers = person.phones.map { $0.filter(\.isWholeNumber) }
        }
    }

    /// Builds the index; earlier people rank better.
    public init(_ people: [Source]) throws {
        var builder = IndexBuilder(fields: Field.allCases.map(\.options))
        for (rank, person) in people.enumerated() {
            builder.beginDocument(id: Int64(rank), rank: UInt64(rank))
            for text in person.texts {
                builder.beginValue(field: Field.keypadNames.rawValue)
                for word in text.words {
                    builder.addWord(keypadSpellings(of: word).map { $0.digits.map(UInt16.init) })
                }
                builder.beginValue(field: Field.names.rawValue)
                for word in text.words { builder.addWord(word.spellings.map(\.letters)) }
            }
            for number in person.numbers {
                builder.beginValue(field: Field.numbers.rawValue)
                builder.addWord([Array(number.utf16)])
            }
        }
        index = try builder.build()
    }

    /// Returns the first ten hits.
    public func search(_ request: SearchRequest) throws -> [SearchHit] { try index.search(request) }

    /// Returns the request that contacts use for a query.
    public static func request(_ query: ContactQuery) -> SearchRequest {
        query.kind.isKeypad ? keypad(query.text) : text(query.text)
    }

    private static func keypad(_ digits: String) -> SearchRequest {
        func names(_ match: SearchTier.Match) -> SearchTier { SearchTier(field: Field.keypadNames.rawValue, match) }
        func numbers(_ match: SearchTier.Match) -> SearchTier { SearchTier(field: Field.numbers.rawValue, match) }
        return SearchRequest(
            queries: [SearchQuery([digits])],
            tiers: [
                names(.exact), names(.prefix), numbers(.exact), numbers(.prefix), names(.initials()), names(.words()),
                names(.infix), numbers(.infix), names(.typo(.keypad)),
            ])
    }

    private static func text(_ text: String) -> SearchRequest {
        let matches: [SearchTier.Match] = [.exact, .prefix, .initials(), .words(), .joined, .infix, .typo()]
        return SearchRequest(
            queries: [SearchQuery(words: FoldedQuery(text).words.map { $0.spellings.map(\.letters) })],
            tiers: matches.map { SearchTier(field: Field.names.rawValue, $0) })
    }
}
