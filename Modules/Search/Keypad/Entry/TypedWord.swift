/// A word while its keys are pressed, one for each letter.
struct TypedWord {
    /// The keys as ASCII digits, `1` for an apostrophe inside.
    private(set) var keys: [UInt8]
    /// Which candidate stands in the text.
    private(set) var choice = 0
    /// Whether NEXT was pressed in this word.
    private(set) var wasChosen = false
    /// Whether `1` was pressed last: a full stop, unless a letter follows.
    var hasMark = false
    /// The beginning that was chosen before further keys were pressed.
    private var stem: String?
    private var found: [WordCandidate]?

    /// How many words NEXT walks.
    static let longestList = 50

    init(_ key: UInt8) { keys = [key] }

    /// The keys without those of apostrophes.
    var letterKeys: [UInt8] { keys.filter { $0 != UInt8(ascii: "1") } }

    /// The words that NEXT walks, in order.
    mutating func candidates(_ words: some WordSource, after previous: String?) throws -> [WordCandidate] {
        if let found { return found }
        let list = try candidates(for: keys, words, after: previous)
        let shown = list.first?.isWhole ?? false ? list : [try beginning(words, list)] + list
        found = shown
        return shown
    }

    private func candidates(
        for keys: [UInt8], _ words: some WordSource, after previous: String?
    ) throws -> [WordCandidate] {
        let list = try words.candidates(for: keys, after: previous, limit: Self.longestList)
        guard let stem else { return list }
        // What goes on with the word that was chosen comes first.
        return list.filter { $0.text.hasPrefix(stem) } + list.filter { !$0.text.hasPrefix(stem) }
    }

    /// What stands for keys that spell no word: the beginning of the word they lead to, as far as there is one, then the first letter
    /// of each key.
    private func beginning(_ words: some WordSource, _ longer: [WordCandidate]) throws -> WordCandidate {
        var text = ""
        var (low, high) = (0, letterKeys.count)
        if let word = longer.first {
            (text, low) = (Self.beginning(of: word.text, keys: high), high)
        } else {
            // The longest beginning of the keys with which a word begins: those that are shorter have one too.
            high = min(high, WordList.longestWord)
            while low < high {
                let middle = (low + high + 1) / 2
                if let word = try words.candidates(for: Array(letterKeys[..<middle]), after: nil, limit: 1).first {
                    (text, low) = (Self.beginning(of: word.text, keys: middle), middle)
                } else {
                    high = middle - 1
                }
            }
        }
        for key in letterKeys[low...] { text += words.letters(on: key).prefix(1).map(String.init).joined() }
        return WordCandidate(text: text, isWhole: false)
    }

    /// The letters of a word that a number of keys types, with the apostrophes between them.
    private static func beginning(of word: String, keys: Int) -> String {
        var typed = 0
        let letters = word.prefix { letter in
            if letter == "'" { return typed < keys }
            typed += 1
            return typed <= keys
        }
        return String(letters)
    }

    /// The candidate that stands in the text; nil if it is no word.
    mutating func chosen(_ words: some WordSource, after previous: String?) throws -> WordCandidate? {
        let list = try candidates(words, after: previous)
        guard list.indices.contains(choice) else { return nil }
        // The first one may be a mere beginning.
        if choice == 0, !list[0].isWhole { return nil }
        return list[choice]
    }

    /// What stands in the text.
    mutating func shown(_ words: some WordSource, after previous: String?) throws -> String {
        let list = try candidates(words, after: previous)
        return list.indices.contains(choice) ? list[choice].text : ""
    }

    /// Goes to the next candidate, behind the last one to the first.
    mutating func walk(_ words: some WordSource, after previous: String?) throws {
        let count = try candidates(words, after: previous).count
        choice = (choice + 1) % max(1, count)
        wasChosen = true
    }

    /// Adds a key.
    ///
    /// - Returns: false if the word ends at the mark behind it, because no word has an apostrophe there; nothing has changed then.
    mutating func append(_ key: UInt8, _ words: some WordSource, after previous: String?) throws -> Bool {
        let stem = wasChosen ? try shown(words, after: previous) : stem
        if hasMark {
            var longer = self
            longer.stem = stem
            longer.keys += [UInt8(ascii: "1"), key]
            let list = try longer.candidates(for: longer.keys, words, after: previous)
            guard let first = list.first, stem.map({ first.text.hasPrefix($0) }) ?? true else { return false }
            self = longer
        } else {
            keys.append(key)
        }
        self.stem = stem
        hasMark = false
        choice = 0
        found = nil
        return true
    }

    /// Takes the last key back.
    ///
    /// - Returns: false if it was the only one.
    mutating func removeLast() -> Bool {
        if hasMark {
            hasMark = false
            return true
        }
        keys.removeLast()
        if keys.last == UInt8(ascii: "1") { keys.removeLast() }
        choice = 0
        wasChosen = false
        stem = nil
        found = nil
        return !keys.isEmpty
    }
}
