import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardTextNormalization

/// The search tiers for a query, in the order of `docs/matching.md`.
struct ItemQueryPlan {
    private(set) var queries: [SearchQuery] = []
    /// The tiers in stages, each of which runs only if the previous stages found nothing. The first searches for the
    /// text as typed, then with one typo per word; the second allows two typos in long words, which finds mostly
    /// unintended items.
    private(set) var stages: [[SearchTier]] = []
    /// The folded words, separated by spaces; the key of engagements.
    let key: String
    private var likelihood = Likelihood.text

    /// Creates a plan for typed text, or for the keys of a keypad: titles as keys, then texts with these digits.
    init(_ input: SearchInput) {
        self.init(input.text)
        guard let keys = input.keys, !queries.isEmpty else { return }
        let gaps = [UInt8(ascii: "0"), UInt8(ascii: "1")]
        let words = keys.keys.split { gaps.contains($0) }.map { [$0.map(UInt16.init)] }
        guard !words.isEmpty else { return }
        queries.append(SearchQuery(words: words))
        let splits = keys.keys.count > Self.maximumInitials ? SearchTier.Splits.likely : .all
        let matches = [SearchTier.Match.exact, .prefix, .initials(splits), .words(splits), .typo(.keypad)]
        let tiers = matches.map {
            var tier = SearchTier(field: ItemField.keypadTitles.rawValue, $0, query: queries.count - 1)
            tier.titleField = tier.field
            return tier
        }
        stages = [Self.grouped([tiers]) + Self.grouped(Self.exactTiers(areInitials: false), from: 1)]
        likelihood = .keypad
    }

    init(_ text: String) {
        let query = FoldedQuery(text)
        key = query.words.compactMap { $0.spellings.first }.map { String(decoding: $0.letters, as: UTF16.self) }
            .joined(separator: " ")
        guard !query.words.isEmpty else { return }
        queries = [SearchQuery(words: query.words.map { $0.spellings.map(\.letters) })]
        let letters = query.words[0].spellings[0].letters.count
        let areInitials = query.words.count == 1 && letters <= ItemQueryPlan.maximumInitials
        stages = [areInitials ? Self.tiersOfInitials : Self.tiersOfText]
        if query.words.contains(where: { Fuzziness.text.edits(letters: $0.spellings[0].letters.count) > 1 }) {
            stages.append(Self.tiersOfTwoTypos)
        }
    }

    /// The tiers of a text that may be initials, and of any other text.
    private static let (tiersOfInitials, tiersOfText) = (tiers(areInitials: true), tiers(areInitials: false))
    private static let tiersOfTwoTypos = grouped([typoTiers(.text)])

    private static func tiers(areInitials: Bool) -> [SearchTier] {
        let typos = typoTiers(Fuzziness(one: 4, two: nil)) + [tier(.titles, .soundAlikes(.soundAlikes))]
        return grouped(exactTiers(areInitials: areInitials) + [typos])
    }

    /// Returns the tiers of groups that are searched one after another until there are enough hits.
    private static func grouped(_ groups: [[SearchTier]], from first: Int = 0) -> [SearchTier] {
        groups.enumerated().flatMap { number, tiers in
            tiers.map { tier in
                var tier = tier
                tier.group = first + number
                return tier
            }
        }
    }

    /// The maximum length of a word that is matched against initials; longer ones have too many segmentations.
    private static let maximumInitials = 6

    private static func exactTiers(areInitials: Bool) -> [[SearchTier]] {
        [
            [
                tier(.titles, .exact), tier(.titles, .wholeWords), tier(.titles, .prefix), tier(.names, .exact),
                tier(.names, .prefix),
            ],
            (areInitials ? [tier(.titles, .initials())] : []) + [
                words(and: []), words(and: [.names]), tier(.details, .prefix), words(and: [.names, .details]),
            ],
            [tier(.titles, .joined), tier(.names, .joined), tier(.titles, .infix)],
        ]
    }

    private static func typoTiers(_ fuzziness: Fuzziness) -> [SearchTier] {
        func typo(_ field: ItemField, and others: [ItemField]? = nil) -> SearchTier {
            tier(
                field,
                .typo(
                    fuzziness, field == .titles ? .all : .withinWords, otherFields: others?.map(\.rawValue)))
        }
        return [
            typo(.titles), typo(.names), typo(.titles, and: [.names]), typo(.details),
            typo(.titles, and: [.names, .details]),
        ]
    }

    private static func tier(_ field: ItemField, _ match: SearchTier.Match) -> SearchTier {
        var tier = SearchTier(field: field.rawValue, match)
        tier.titleField = ItemField.titles.rawValue
        return tier
    }

    /// - Parameter others: Further fields in which the other words may occur.
    private static func words(and others: [ItemField]) -> SearchTier {
        tier(.titles, .wordsAcrossValues(otherFields: others.map(\.rawValue)))
    }

    /// - Parameter boosts: The bits to add to the likelihood of a field. With any, what matches as typed in all fields is
    ///   one group, since the first group would end the search.
    func requests(boosts: [ItemField: Int] = [:], isCancelled: (@Sendable () -> Bool)?) -> [SearchRequest] {
        stages.map { tiers in
            var tiers = tiers
            if !boosts.isEmpty {
                for position in tiers.indices where tiers[position].group < Self.groupsAsTyped {
                    tiers[position].group = 0
                }
            }
            var request = SearchRequest(queries: queries, tiers: tiers, isCancelled: isCancelled)
            request.likelihood = likelihood
            // The likeliest field has 0 bits, as without boosts.
            let bits = ItemField.allCases.map { $0.bits + boosts[$0.texts, default: 0] }
            request.likelihood?.fields = bits.map { $0 - max(bits.max() ?? 0, 0) }
            return request
        }
    }

    /// The number of groups of ``exactTiers(areInitials:)``.
    private static let groupsAsTyped = 3
}

/// The fields of the item index, highest weight first.
enum ItemField: Int, CaseIterable {
    /// Title and display name.
    case titles
    /// Alternate names and keywords.
    case names
    /// Description, people, place and searchable custom attributes.
    case details
    /// Title and display name, by the keys of a keypad.
    case keypadTitles

    var options: FieldOptions {
        switch self {
        case .titles: [.wordSuffixes, .initials, .infix, .typos]
        case .names, .details: [.wordSuffixes, .typos]
        case .keypadTitles: [.wordSuffixes, .initials, .typos]
        }
    }

    /// The attributes whose texts are searched in the field.
    var attributes: [Attribute] {
        switch self {
        case .titles: [.title, .displayName]
        case .names: [.alternateNames, .keywords]
        case .details:
            [
                .contentDescription, .authors, .authorNames, .recipients, .recipientNames, .contactKeywords,
                .namedLocation, .creator, .identifier, .comment, .subject, .theme, .containerTitle,
            ]
        case .keypadTitles: []
        }
    }

    /// The likelihood that someone types a text of the field, in bits.
    var bits: Int {
        switch self {
        case .titles, .keypadTitles: 0
        case .names: -4
        case .details: -6
        }
    }

    /// The field whose texts are searched.
    var texts: ItemField { self == .keypadTitles ? .titles : self }
}
