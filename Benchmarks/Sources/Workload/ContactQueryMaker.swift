import SwitchboardKeypad
import SwitchboardTextNormalization

/// Generates queries for people, the same in every run.
public struct ContactQueryMaker {
    private let people: [Person]
    private var random = SplitMix(seed: QuerySeed.current)

    /// Creates a generator for these people.
    public init(_ people: [Person]) { self.people = people }

    /// Returns at most `count` different queries of a kind. There are only eight one-digit queries.
    public mutating func queries(_ kind: ContactQuery.Kind, _ count: Int) -> [ContactQuery] {
        var seen: Set<String> = []
        var queries: [ContactQuery] = []
        for _ in 0..<(count * 20) where queries.count < count {
            guard let person = people.randomElement(using: &random), let letters = letters(kind, person),
                !letters.isEmpty
            else { continue }
            let text = String(decoding: letters, as: UTF16.self)
            if seen.insert(text).inserted { queries.append(ContactQuery(kind: kind, text: text, meant: person.name)) }
        }
        return queries
    }

    private mutating func letters(_ kind: ContactQuery.Kind, _ person: Person) -> [UInt16]? {
        switch kind {
        case .keypadName:
            let words = keys(of: person)
            let suffix = words.dropFirst(Int.random(in: 0..<max(words.count, 1), using: &random)).flatMap { $0 }
            return cut(suffix, to: 2...8)
        case .keypadLongName: return cut(keys(of: person).flatMap { $0 }, to: 9...12)
        case .keypadInitials: return prefixes(keys(of: person), isReversed: false)
        case .keypadNumber: return insideOfNumber(of: person)
        case .keypadDigit: return [Typo.keypad.randomElement(using: &random) ?? 0x32]
        case .keypadTypo: return misspelled(keys(of: person).flatMap { $0 }, atLeast: 5, from: Typo.keypad)
        case .keypadWrongDigit: return cut(keys(of: person).flatMap { $0 }, to: 7...11).map { withWrongDigit($0) }
        case .keypadNothing:
            return (0..<Int.random(in: 9...12, using: &random)).map { _ in
                Typo.keypad.randomElement(using: &random) ?? 0x32
            }
        case .textPrefix: return prefix(words(of: person))
        case .textWords:
            let words = words(of: person)
            return prefixes(Array(words.reversed()), isReversed: true)
        case .textInfix:
            guard let word = words(of: person).filter({ $0.count >= 6 }).randomElement(using: &random) else {
                return nil
            }
            let start = Int.random(in: 1...(word.count - 4), using: &random)
            return Array(word[start..<(start + 4)])
        case .textTypo: return misspelledName(words(of: person))
        case .textUnfinished:
            return cut(Array(words(of: person).joined(separator: [0x20])), to: 6...9)
                .flatMap { misspelledName($0.split(separator: 0x20).map(Array.init)) }
        case .textLetter: return words(of: person).first.map { Array($0.prefix(1)) }
        case .textNothing:
            return (0..<9).map { _ in Array("bcdfghjkqvwxz".utf16).randomElement(using: &random) ?? 0x71 }
        }
    }
}

// MARK: - Pieces of a person

extension ContactQueryMaker {
    /// The words of a name in one of their spellings, in Latin or in their own script.
    private mutating func words(of person: Person) -> [[UInt16]] {
        let track = Int.random(in: 0..<3, using: &random)
        return FoldedText(person.name).words.compactMap { word in
            word.spellings.isEmpty ? nil : word.spellings[min(track, word.spellings.count - 1)].letters
        }
    }

    /// The words of a name as keys, by one of their spellings.
    private mutating func keys(of person: Person) -> [[UInt16]] {
        let track = Int.random(in: 0..<3, using: &random)
        return FoldedText(person.name).words.compactMap { word in
            let spellings = keypadSpellings(of: word)
            return spellings.isEmpty ? nil : spellings[min(track, spellings.count - 1)].digits.map(UInt16.init)
        }
    }

    private mutating func cut(_ letters: [UInt16], to lengths: ClosedRange<Int>) -> [UInt16]? {
        guard letters.count >= lengths.lowerBound else { return nil }
        let length = Int.random(in: lengths.lowerBound...min(lengths.upperBound, letters.count), using: &random)
        return Array(letters.prefix(length))
    }

    private mutating func prefix(_ words: [[UInt16]]) -> [UInt16]? {
        guard let start = words.indices.randomElement(using: &random) else { return nil }
        if start + 1 < words.count, Bool.random(using: &random) {
            return cut(words[start + 1], to: 1...4).map { words[start] + [0x20] + $0 }
        }
        return cut(words[start], to: 2...6)
    }

    /// One or two letters of a word and two or three of a later one, with a space between them if they are reversed.
    private mutating func prefixes(_ words: [[UInt16]], isReversed: Bool) -> [UInt16]? {
        guard words.count > 1, let first = cut(words[0], to: isReversed ? 2...4 : 1...2) else { return nil }
        let later = words[Int.random(in: 1..<words.count, using: &random)]
        guard let second = cut(later, to: 2...3) else { return nil }
        return first + (isReversed ? [0x20] : []) + second
    }

    private mutating func insideOfNumber(of person: Person) -> [UInt16]? {
        let digits = (person.phones.first ?? "").utf16.filter { (0x30...0x39).contains($0) }
        guard digits.count >= 9 else { return nil }
        let length = Int.random(in: 4...7, using: &random)
        let start = Int.random(in: 2...(digits.count - length), using: &random)
        let inside = Array(digits[start..<(start + length)])
        // A leading zero searches numbers only, which is another kind of query.
        return inside.first == 0x30 ? nil : inside
    }

    private mutating func withWrongDigit(_ digits: [UInt16]) -> [UInt16] {
        var digits = digits
        let position = Int.random(in: 1..<digits.count, using: &random)
        let others = Typo.keypad.filter { $0 != digits[position] }
        digits[position] = others.randomElement(using: &random) ?? 0x32
        return digits
    }

    private mutating func misspelled(_ letters: [UInt16], atLeast least: Int, from keys: [UInt16]) -> [UInt16]? {
        letters.count < least ? nil : Typo.applied(to: letters, keys: keys, using: &random)
    }

    /// The whole name with a typo in one of the words that are long enough to tolerate it.
    private mutating func misspelledName(_ words: [[UInt16]]) -> [UInt16]? {
        var words = words
        guard let position = words.indices.filter({ words[$0].count >= 5 }).randomElement(using: &random),
            let misspelled = misspelled(words[position], atLeast: 5, from: words.flatMap { $0 })
        else { return nil }
        words[position] = misspelled
        return Array(words.joined(separator: [0x20]))
    }
}
