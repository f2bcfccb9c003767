import KeypadInput
import LookupEngine
import TextFolding

/// What is asked of the index, and in which order. The rules are those of `docs/matching.md`.
struct ProspectPlan {
    private(set) var queries: [LookupQuery] = []
    private(set) var tiers: [LookupTier] = []

    private static func tier(
        _ lane: ProspectLane, _ kind: MatchKind, _ query: Int, and others: [ProspectLane] = [], across: Bool = false,
        typos: TypoAllowance = .text
    ) -> LookupTier {
        LookupTier(
            lane: lane.rawValue, kind: kind, query: query, acrossFields: across, otherLanes: others.map(\.rawValue),
            typos: typos)
    }

    /// Typed text: names first, then what else is said, and the number if the text can be one.
    init(_ text: String) {
        let query = FoldedQuery(text)
        guard !query.words.isEmpty else { return }
        queries = [LookupQuery(words: query.words.map { $0.spellings.map(\.letters) })]
        var numbers: [MatchKind: [LookupTier]] = [:]
        if let keys = try? KeypadQuery(parsing: text), !keys.keys.isEmpty {
            queries.append(ProspectPlan.number(keys))
            for kind in [MatchKind.exact, .prefix, .infix] { numbers[kind] = [Self.tier(.numbers, kind, 1)] }
        }
        func of(_ kind: MatchKind) -> [LookupTier] { numbers[kind] ?? [] }
        tiers = [Self.tier(.names, .exact, 0), Self.tier(.names, .prefix, 0)]
        tiers += [Self.tier(.details, .exact, 0), Self.tier(.details, .prefix, 0)]
        tiers += of(.exact) + of(.prefix)
        tiers += [Self.tier(.names, .initials, 0), Self.tier(.names, .words, 0)]
        tiers += [Self.tier(.names, .words, 0, and: [.details], across: true)]
        tiers += [Self.tier(.names, .joined, 0), Self.tier(.details, .joined, 0)]
        tiers += [Self.tier(.names, .infix, 0), Self.tier(.details, .infix, 0)] + of(.infix)
        tiers += [Self.tier(.names, .typo, 0), Self.tier(.details, .typo, 0)]
        tiers += [Self.tier(.names, .typo, 0, and: [.details], across: true)]
    }

    /// The digits of a keypad: names as keys, in which `0` and `1` may be gaps, and numbers.
    init(_ keys: KeypadQuery) {
        guard !keys.keys.isEmpty || keys.isInternational else { return }
        let gaps = [UInt8(ascii: "0"), UInt8(ascii: "1")]
        var names: [Int] = []
        if !keys.isInternational {
            let words = keys.keys.split { gaps.contains($0) }.map { [$0.map(UInt16.init)] }
            if !words.isEmpty {
                names.append(queries.count)
                queries.append(LookupQuery(words: words))
            }
            if keys.keys.contains(where: gaps.contains) {
                names.append(queries.count)
                queries.append(LookupQuery(words: [[keys.keys.map(UInt16.init)]]))
            }
        }
        let number = queries.count
        queries.append(ProspectPlan.number(keys))
        func inNames(_ kinds: [MatchKind]) -> [LookupTier] {
            kinds.flatMap { kind in names.map { Self.tier(.keypadNames, kind, $0, typos: .keypad) } }
        }
        let whole = [Self.tier(.numbers, .exact, number), Self.tier(.numbers, .prefix, number)]
        let inside = [Self.tier(.numbers, .infix, number)]
        tiers =
            keys.looksAtNumbersFirst
            ? whole + inside + inNames([.exact, .prefix]) : inNames([.exact, .prefix]) + whole
        tiers += inNames([.initials, .words, .infix])
        if !keys.looksAtNumbersFirst { tiers += inside }
        tiers += inNames([.typo])
    }

    /// The ways a typed number may be meant: as it is, or as an international one, with its `+` typed, left out, or dialled as
    /// 00 (most of the world) or 011 (North America).
    private static func number(_ query: KeypadQuery) -> LookupQuery {
        let plus = UInt16(UInt8(ascii: "+"))
        let letters = query.keys.map(UInt16.init)
        if query.isInternational { return LookupQuery(words: [[[plus] + letters]]) }
        var writings = [letters, [plus] + letters]
        for prefix in ["00", "011"] where query.keys.count > prefix.utf8.count && query.keys.starts(with: prefix.utf8) {
            writings.append([plus] + letters.dropFirst(prefix.utf8.count))
        }
        return LookupQuery(words: [writings])
    }
}
