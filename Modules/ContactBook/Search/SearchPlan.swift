import KeypadInput
import LookupEngine
import TextFolding

/// What is asked of the index, and in which order: the rules of matching for contacts.
protocol SearchPlan {
    var queries: [LookupQuery] { get }
    var tiers: [LookupTier] { get }
}

private func tier(
    _ lane: ContactLane, _ kind: MatchKind, _ query: Int, across: Bool = false, typos: TypoAllowance = .text
) -> LookupTier {
    LookupTier(lane: lane.rawValue, kind: kind, query: query, acrossFields: across, typos: typos)
}

/// The digits of a keypad: names as keys, and numbers.
///
/// In names `0` is a gap and `1` is punctuation, which both divide words; or they are digits of the name. In numbers they
/// are digits. So up to three queries are asked.
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
        queries.append(LookupQuery(words: [KeypadPlan.numberWritings(query)]))
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

    /// The number as typed, and as it is written without what stands for the `+`: 011 in North America. (00 is a writing in the
    /// index itself.)
    private static func numberWritings(_ query: KeypadQuery) -> [[UInt16]] {
        let plus = UInt16(UInt8(ascii: "+"))
        let keys = query.keys.map(UInt16.init)
        if query.isInternational { return [[plus] + keys] }
        if keys.count > 3, query.keys.starts(with: Array("011".utf8)) { return [keys, [plus] + keys.dropFirst(3)] }
        return [keys]
    }
}

/// Typed text: names first, then e-mail addresses, notes and numbers.
struct TextPlan: SearchPlan {
    private(set) var queries: [LookupQuery] = []
    private(set) var tiers: [LookupTier] = []

    init(_ text: String) {
        let query = FoldedQuery(text)
        guard !query.words.isEmpty else { return }
        queries = [LookupQuery(words: query.words.map { $0.spellings.map(\.letters) })]
        tiers = [
            tier(.names, .exact, 0), tier(.names, .prefix, 0),
            tier(.everything, .exact, 0), tier(.everything, .prefix, 0),
            tier(.names, .initials, 0), tier(.names, .words, 0), tier(.everything, .words, 0, across: true),
            tier(.names, .joined, 0), tier(.everything, .joined, 0),
            tier(.names, .infix, 0), tier(.everything, .infix, 0),
            tier(.names, .typo, 0), tier(.everything, .typo, 0, across: true),
        ]
    }
}
