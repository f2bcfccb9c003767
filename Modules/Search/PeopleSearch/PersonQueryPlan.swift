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
    private var likelihood = Likelihood.text

    /// The digits that may lead from the end of a name into a number, if nothing else matches.
    private var nameAndNumber: [UInt8] = []

    /// Returns the search, or nil for an empty query, which finds everyone.
    public func request(isCancelled: (@Sendable () -> Bool)? = nil) -> SearchRequest? {
        queries.isEmpty ? nil : request(queries, tiers, isCancelled)
    }

    /// Returns the searches, each for the case that the ones before find nothing; none for an empty query, which finds
    /// everyone.
    public func requests(isCancelled: (@Sendable () -> Bool)? = nil) -> [SearchRequest] {
        guard let first = request(isCancelled: isCancelled) else { return [] }
        guard nameAndNumber.count >= Self.shortestNameAndNumber else { return [first] }
        // The tutorial on T9 concatenated the digits of a name and of its number.
        let splits = Self.shortestPart...nameAndNumber.count - Self.shortestPart
        let queries = splits.map { split in
            let name = nameAndNumber[..<split].map(UInt16.init)
            let number = Self.formats(ofNumber: Array(nameAndNumber[split...]), isInternational: false)
            return SearchQuery(words: [[name], number])
        }
        let fields = [PersonField.numbers.rawValue]
        let tiers = queries.indices.map { Self.tier(.keypadNames, .wordsAcrossValues(otherFields: fields), $0) }
        return [first, request(queries, Self.grouped([tiers]), isCancelled)]
    }

    /// The minimum number of digits that lead from a name into a number, and of each part.
    private static let (shortestNameAndNumber, shortestPart) = (6, 2)

    private func request(
        _ queries: [SearchQuery], _ tiers: [SearchTier], _ isCancelled: (@Sendable () -> Bool)?
    ) -> SearchRequest {
        var request = SearchRequest(queries: queries, tiers: tiers, isCancelled: isCancelled)
        request.likelihood = likelihood
        request.likelihood?.fields = likelihood == .keypad ? Self.keypadFields : Self.textFields
        return request
    }

    private static func tier(_ field: PersonField, _ match: SearchTier.Match, _ query: Int = 0) -> SearchTier {
        var tier = SearchTier(field: field.rawValue, match, query: query)
        switch field {
        case .names: tier.titleField = field.rawValue
        case .details: tier.titleField = PersonField.names.rawValue
        case .keypadNames: tier.titleField = field.rawValue
        case .numbers: tier.hasQuota = match == .infix
        }
        return tier
    }

    /// Returns the tiers of groups that are searched one after another until there are enough hits.
    private static func grouped(_ groups: [[SearchTier]]) -> [SearchTier] {
        groups.enumerated().flatMap { number, tiers in
            tiers.map { tier in
                var tier = tier
                tier.group = number
                return tier
            }
        }
    }

    /// The bits of each ``PersonField``.
    private static let textFields = [0, 0, 0, -7]
    private static let keypadFields = [0, -2, 0, -7]
    /// The bits of a reading in which each typed 0 and 1 has a meaning.
    private static let literalBits = 6

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
        likelihood = .keypad
        let hasDigits = names.count > 1
        func inNames(_ match: SearchTier.Match, isFallback: Bool = false) -> [SearchTier] {
            names.map { name in
                var tier = Self.tier(.keypadNames, match, name)
                tier.isFallback = isFallback
                // The last reading has 0 and 1 as digits of the name, the other one as gaps between words.
                if hasDigits, name > 0 || query.hasPlainGaps { tier.bits = Self.literalBits }
                return tier
            }
        }
        func inNumbers(_ match: SearchTier.Match) -> [SearchTier] {
            var tier = Self.tier(.numbers, match, number)
            tier.bits = query.hasDigits ? Self.literalBits : 0
            // Unlike a name, a number is often remembered by its end.
            if match == .infix { tier.bits -= Int(Likelihood.inside) }
            return [tier]
        }
        let wholeNames = inNames(.exact) + inNames(.prefix)
        let wholeNumbers = inNumbers(.exact) + inNumbers(.prefix)
        var groups =
            query.prefersNumbers ? [wholeNumbers, inNumbers(.infix), wholeNames] : [wholeNames + wholeNumbers]
        // Many digits split into several longer pieces by accident; a slip in one name is more likely.
        let isLong = query.keys.count >= Self.likelierSlip && query.keys.allSatisfy { $0 > punctuation }
        let splits = isLong ? SearchTier.Splits.likely : .all
        let likelySlips = isLong ? inNames(.typo(.keypad, .likely)) : []
        groups.append(
            inNames(.initials(splits)) + inNames(.words(splits)) + likelySlips + inNames(.infix)
                + (query.prefersNumbers ? [] : inNumbers(.infix)))
        let isFallback = query.keys.count >= Self.implausibleSplit
        let accidents = inNames(.initials(), isFallback: isFallback) + inNames(.words(), isFallback: isFallback)
        if isLong && !isFallback { groups.append(accidents) }
        groups.append(inNames(.typo(.keypad)))
        if isLong && isFallback { groups.append(accidents) }
        tiers = Self.grouped(groups)
        if !query.isInternational { nameAndNumber = query.keys }
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
        return grouped([
            [tier(.names, .exact)] + (isLong ? [tier(.names, .wholeWords)] : []) + [tier(.names, .prefix)]
                + [tier(.details, .exact), tier(.details, .prefix)] + inNumbers(.exact) + inNumbers(.prefix),
            [tier(.names, .initials()), tier(.names, .words())]
                + [tier(.names, .wordsAcrossValues(otherFields: details))],
            [tier(.names, .joined), tier(.details, .joined), tier(.names, .infix), tier(.details, .infix)]
                + inNumbers(.infix),
            [
                tier(.names, .typo(Fuzziness(one: Fuzziness.text.one, two: nil))),
                tier(.names, .soundAlikes(.soundAlikes)), tier(.names, .typo()),
                tier(.details, .typo(.text, .withinWords)), tier(.names, .typo(otherFields: details)),
            ],
        ])
    }

    /// Returns the query for a text that contains only a phone number, or nil.
    private static func number(_ text: String) -> SearchQuery? {
        guard
            let query = (try? KeypadQuery(parsing: text))
                ?? vanityKeys(text).flatMap({ try? KeypadQuery(parsing: $0) }) ?? codeKeys(text),
            !query.keys.isEmpty
        else { return nil }
        return SearchQuery(words: [Self.formats(ofNumber: query.keys, isInternational: query.isInternational)])
    }

    /// Returns the keys of a number after a code or in the address of a telephone, such as *31#+49 30 901820 and
    /// sip:1001@example.org; nil for other texts.
    private static func codeKeys(_ text: String) -> KeypadQuery? {
        if let first = text.utf8.first, first | 0x20 == UInt8(ascii: "s") {
            let isAddress = ["sip:", "sips:"].contains { text.lowercased().hasPrefix($0) }
            guard isAddress, !text.contains(where: \.isWhitespace) else { return nil }
            return try? KeypadQuery(parsing: text.filter { $0.isASCII && $0.isNumber })
        }
        guard text.first.map("*#".contains) ?? false, text.dropFirst().contains("+") else { return nil }
        return try? KeypadQuery(parsing: text.filter { $0 != "+" })
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
    private var zeros: [UInt8] { [UInt8(ascii: "0"), UInt8(ascii: "1")] }

    /// `true` if a 0 or 1 is typed.
    fileprivate var hasDigits: Bool { keys.contains { zeros.contains($0) } }

    /// `true` if each 0 may be a gap between two words. Few people type punctuation or an empty word.
    fileprivate var hasPlainGaps: Bool {
        let zero = UInt8(ascii: "0")
        return !keys.contains(UInt8(ascii: "1")) && keys.first != zero && keys.last != zero
            && !zip(keys, keys.dropFirst()).contains { $0 == zero && $1 == zero }
    }
}
