import KeypadInput
import LookupEngine
import TextFolding

/// What is asked of the index, and in which order: the rules of matching for contacts.
protocol SearchPlan {
    var queries: [LookupQuery] { get }
    var tiers: [LookupTier] { get }
}

private func tier(
    _ lane: ContactLane, _ kind: MatchKind, _ query: Int, and others: [ContactLane] = [], across: Bool = false,
    typos: TypoAllowance = .text
) -> LookupTier {
    LookupTier(
        lane: lane.rawValue, kind: kind, query: query, acrossFields: across, otherLanes: others.map(\.rawValue),
        typos: typos)
}

/// The digits of a keypad: names as keys, and numbers.
///
/// In names `0` is a gap and `1` is punctuation, which both divide words; or they are digits of the name. In numbers
/// they are digits. So up to three queries are asked.
struct KeypadPlan: SearchPlan {
    private(set) var queries: [LookupQuery] = []
    private(set) var tiers: [LookupTier] = []

    init(_ query: KeypadQuery) {
        guard !query.keys.isEmpty || query.isInternational else { return }
        var names: [Int] = []
        let gap = UInt8(ascii: "0")
        let punctuation = UInt8(ascii: "1")
        if !query.isInternational {
            let words = query.keys.split { $0 == gap || $0 == punctuation }.map { [$0.map(UInt16.init)] }
            if !words.isEmpty {
                names.append(queries.count)
                queries.append(LookupQuery(words: words))
            }
            if query.keys.contains(where: { $0 == gap || $0 == punctuation }) {
                names.append(queries.count)
                queries.append(LookupQuery(words: [[query.keys.map(UInt16.init)]]))
            }
        }
        let number = queries.count
        queries.append(
            LookupQuery(words: [numberWritings(query.keys, isInternational: query.isInternational)]))
        func inNames(_ kind: MatchKind) -> [LookupTier] {
            names.map { tier(.keypadNames, kind, $0, typos: .keypad) }
        }
        let wholeNames = inNames(.exact) + inNames(.prefix)
        let wholeNumbers = [tier(.numbers, .exact, number), tier(.numbers, .prefix, number)]
        let numbersInside = [tier(.numbers, .infix, number)]
        tiers =
            query.looksAtNumbersFirst
            ? wholeNumbers + numbersInside + wholeNames : wholeNames + wholeNumbers
        tiers += inNames(.initials) + inNames(.words) + inNames(.infix)
        if !query.looksAtNumbersFirst { tiers += numbersInside }
        tiers += inNames(.typo)
    }
}

/// The ways a typed number may be meant: as it is, or as an international one, with its `+` typed, left out, or
/// dialled as 00 (most of the world) or 011 (North America).
func numberWritings(_ keys: [UInt8], isInternational: Bool) -> [[UInt16]] {
    let plus = UInt16(UInt8(ascii: "+"))
    let letters = keys.map(UInt16.init)
    if isInternational { return [[plus] + letters] }
    var writings = [letters, [plus] + letters]
    for prefix in ["00", "011"] where keys.count > prefix.utf8.count && keys.starts(with: prefix.utf8) {
        writings.append([plus] + letters.dropFirst(prefix.utf8.count))
    }
    return writings
}

/// Typed text: names first, then e-mail addresses, notes and numbers.
struct TextPlan: SearchPlan {
    private(set) var queries: [LookupQuery] = []
    private(set) var tiers: [LookupTier] = []

    init(_ text: String) {
        let query = FoldedQuery(text)
        guard !query.words.isEmpty else { return }
        queries = [LookupQuery(words: query.words.map { $0.spellings.map(\.letters) })]
        let number = TextPlan.number(text)
        if let number { queries.append(number) }
        func inNumbers(_ kind: MatchKind) -> [LookupTier] { number == nil ? [] : [tier(.numbers, kind, 1)] }
        tiers = [tier(.names, .exact, 0), tier(.names, .prefix, 0)]
        tiers += [tier(.details, .exact, 0), tier(.details, .prefix, 0)]
        tiers += inNumbers(.exact) + inNumbers(.prefix)
        tiers += [tier(.names, .initials, 0), tier(.names, .words, 0)]
        tiers += [tier(.names, .words, 0, and: [.details], across: true)]
        tiers += [tier(.names, .joined, 0), tier(.details, .joined, 0)]
        tiers += [tier(.names, .infix, 0), tier(.details, .infix, 0)] + inNumbers(.infix)
        tiers += [tier(.names, .typo, 0), tier(.details, .typo, 0)]
        tiers += [tier(.names, .typo, 0, and: [.details], across: true)]
    }

    /// A text that is a phone number and nothing else, as far as can be seen from its signs.
    private static func number(_ text: String) -> LookupQuery? {
        guard let query = try? KeypadQuery(parsing: text), !query.keys.isEmpty else { return nil }
        return LookupQuery(words: [numberWritings(query.keys, isInternational: query.isInternational)])
    }
}
