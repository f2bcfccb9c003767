import SwitchboardIncrementalIndex
public import SwitchboardKeypad
public import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The queries and tiers of a search for people, by the rules in `docs/matching.md`.
public struct PersonQueryPlan: Sendable {
    /// The queries that the tiers refer to.
    public private(set) var queries: [SearchQuery] = []
    /// The steps of the search, best first.
    public private(set) var tiers: [SearchTier] = []

    /// Returns the search, or nil for an empty query, which finds everyone.
    public func request(isCancelled: (@Sendable () -> Bool)? = nil) -> SearchRequest? {
        queries.isEmpty ? nil : SearchRequest(queries: queries, tiers: tiers, isCancelled: isCancelled)
    }

    private static func tier(_ field: PersonField, _ match: SearchTier.Match, _ query: Int = 0) -> SearchTier {
        SearchTier(field: field.rawValue, match, query: query)
    }

    /// The minimum number of digits for which a slip in one name is more likely than a split into several longer
    /// pieces.
    private static let likelierSlip = 7
    /// The minimum number of digits for which such a split is an accident if anything else matches.
    private static let implausibleSplit = 9

    /// The minimum number of digits of an international number that may be complete.
    private static let completeNumber = 9

    /// The minimum length of a text that is more likely to be a complete word than a prefix.
    private static let wholeWord = 3

    /// Creates a plan for the input of a search field.
    public init(_ input: SearchInput) {
        if let keys = input.keys { self.init(keys) } else { self.init(input.text) }
    }

    /// Creates a plan for keypad digits: names as keys, and numbers.
    ///
    /// In names, `0` is a space and `1` is punctuation, and both separate words; alternatively, both are digits of the
    /// name. In numbers, they are digits. A plan therefore has up to three queries.
    private init(_ query: KeypadQuery) {
        guard !query.keys.isEmpty || query.isInternational else { return }
        var names: [Int] = []
        let gap = UInt8(ascii: "0")
        let punctuation = UInt8(ascii: "1")
        if !query.isInternational {
            let words = query.keys.split { $0 == gap || $0 == punctuation }.map { [$0.map(UInt16.init)] }
            if !words.isEmpty {
                names.append(queries.count)
                queries.append(SearchQuery(words: words))
            }
            if query.keys.contains(where: { $0 == gap || $0 == punctuation }) {
                names.append(queries.count)
                queries.append(SearchQuery(words: [[query.keys.map(UInt16.init)]]))
            }
        }
        let number = queries.count
        queries.append(
            SearchQuery(words: [Self.formats(ofNumber: query.keys, isInternational: query.isInternational)]))
        func inNames(_ match: SearchTier.Match, isFallback: Bool = false) -> [SearchTier] {
            names.map { SearchTier(field: PersonField.keypadNames.rawValue, match, query: $0, isFallback: isFallback) }
        }
        let wholeNames = inNames(.exact) + inNames(.prefix)
        let wholeNumbers = [Self.tier(.numbers, .exact, number), Self.tier(.numbers, .prefix, number)]
        let numbersInside = [Self.tier(.numbers, .infix, number)]
        tiers =
            query.prefersNumbers
            ? wholeNumbers + numbersInside + wholeNames : wholeNames + wholeNumbers
        // Many digits split into several longer pieces by accident; a slip in one name is more likely.
        let isLong = query.keys.count >= Self.likelierSlip && query.keys.allSatisfy { $0 > punctuation }
        let splits = isLong ? SearchTier.Splits.likely : .all
        let pieces = inNames(.initials(splits)) + inNames(.words(splits))
        if query.resemblesNumber {
            tiers += (query.prefersNumbers ? [] : numbersInside) + pieces + inNames(.infix)
        } else {
            tiers += pieces + inNames(.infix) + (query.prefersNumbers ? [] : numbersInside)
        }
        let isFallback = query.keys.count >= Self.implausibleSplit
        let accidents = inNames(.initials(), isFallback: isFallback) + inNames(.words(), isFallback: isFallback)
        if isLong && !isFallback { tiers += inNames(.typo(.keypad, .likely)) + accidents }
        tiers += inNames(.typo(.keypad))
        if isLong && isFallback { tiers += accidents }
    }

    /// Creates a plan for typed text: names first, then e-mail addresses, notes and numbers.
    private init(_ text: String) {
        let query = FoldedQuery(text)
        guard !query.words.isEmpty else { return }
        queries = [SearchQuery(words: query.words.map { $0.spellings.map(\.letters) })]
        let number = Self.number(text)
        if let number { queries.append(number) }
        let isLong = text.unicodeScalars.count >= Self.wholeWord
        tiers = (number == nil ? Self.textTiers : Self.textOrNumberTiers)[isLong ? 1 : 0]
    }

    /// The tiers for text that cannot be a number and for text that can, each first for short and then for long text.
    private static let textTiers = [false, true].map { tiers(ofLongText: $0, mayBeNumber: false) }
    private static let textOrNumberTiers = [false, true].map { tiers(ofLongText: $0, mayBeNumber: true) }

    private static func tiers(ofLongText isLong: Bool, mayBeNumber: Bool) -> [SearchTier] {
        func inNumbers(_ match: SearchTier.Match) -> [SearchTier] { mayBeNumber ? [tier(.numbers, match, 1)] : [] }
        let details = [PersonField.details.rawValue]
        var tiers = [tier(.names, .exact)]
        if isLong { tiers.append(tier(.names, .wholeWords)) }
        tiers += [tier(.names, .prefix)]
        tiers += [tier(.details, .exact), tier(.details, .prefix)]
        tiers += inNumbers(.exact) + inNumbers(.prefix)
        tiers += [tier(.names, .initials()), tier(.names, .words())]
        tiers += [tier(.names, .wordsAcrossValues(otherFields: details))]
        tiers += [tier(.names, .joined), tier(.details, .joined)]
        tiers += [tier(.names, .infix), tier(.details, .infix)] + inNumbers(.infix)
        // A sound-alike comes after one slip and before two.
        tiers += [tier(.names, .typo(Fuzziness(one: Fuzziness.text.one, two: nil)))]
        tiers += [tier(.names, .soundAlikes(.soundAlikes)), tier(.names, .typo())]
        tiers += [tier(.details, .typo(.text, .withinWords))]
        return tiers + [tier(.names, .typo(otherFields: details))]
    }

    /// Returns the query for a text that contains only a phone number, or nil.
    private static func number(_ text: String) -> SearchQuery? {
        guard
            let query = (try? KeypadQuery(parsing: text))
                ?? vanityKeys(text).flatMap({ try? KeypadQuery(parsing: $0) }),
            !query.keys.isEmpty
        else { return nil }
        return SearchQuery(words: [Self.formats(ofNumber: query.keys, isInternational: query.isInternational)])
    }

    /// Returns the keys of a number that is partly written in letters, such as 1-800-FLOWERS; nil for other texts.
    private static func vanityKeys(_ text: String) -> String? {
        guard let first = text.utf8.first, first == UInt8(ascii: "+") || (0x30...0x39).contains(first),
            text.wholeMatch(of: /\+?[0-9][0-9 .()\-]{2,}[A-Za-z][A-Za-z0-9 .()\-]*/) != nil
        else { return nil }
        let keys = Array("22233344455566677778889999".utf8)
        return String(
            decoding: text.lowercased().utf8.map { (0x61...0x7A).contains($0) ? keys[Int($0) - 0x61] : $0 },
            as: UTF8.self)
    }

    /// Returns the formats that a typed number may stand for: itself, or an international number with its `+` typed,
    /// omitted, or dialed as 00 (most of the world) or 011 (North America).
    private static func formats(ofNumber keys: [UInt8], isInternational: Bool) -> [[UInt16]] {
        let plus = UInt16(UInt8(ascii: "+"))
        let letters = keys.map(UInt16.init)
        if isInternational {
            // A trunk zero after the country code of one to three digits, as in +20 0100 123 4567.
            let zeros = keys.count >= Self.completeNumber ? (1...3).filter { keys[$0] == UInt8(ascii: "0") } : []
            return [[plus] + letters] + zeros.map { [plus] + letters[..<$0] + letters[($0 + 1)...] }
        }
        var formats = [letters, [plus] + letters]
        for prefix in ["00", "011"] where keys.count > prefix.utf8.count && keys.starts(with: prefix.utf8) {
            formats.append([plus] + letters.dropFirst(prefix.utf8.count))
        }
        return formats
    }
}

extension KeypadQuery {
    /// `true` for digits that are more likely part of a number than of a name with gaps: a `1`, two zeros, or a zero at
    /// the end. Few people type punctuation or an empty word.
    fileprivate var resemblesNumber: Bool {
        let zeros = keys.count { $0 == UInt8(ascii: "0") }
        return keys.count >= 4 && (keys.contains(UInt8(ascii: "1")) || zeros > 1 || keys.last == UInt8(ascii: "0"))
    }
}
