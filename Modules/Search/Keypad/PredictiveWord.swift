/// A word in predictive entry, with one key per letter.
struct PredictiveWord {
    /// The keys as ASCII digits, with `1` for an apostrophe.
    private(set) var keys: [UInt8]
    /// The index of the current candidate.
    private(set) var choice = 0
    /// Indicates that NEXT was pressed in this word.
    private(set) var wasChosen = false
    /// Indicates that `1` was pressed last: a period unless a letter follows.
    var hasMark = false
    /// The prefix chosen before further keys were pressed.
    private var stem: String?
    private var found: [WordCandidate]?

    static let maximumCandidates = 50

    init(_ key: UInt8) { keys = [key] }

    /// The keys, without keys for apostrophes.
    var letterKeys: [UInt8] { keys.filter { $0 != UInt8(ascii: "1") } }

    /// The factor by which a complete word must be rarer than a longer word to come after the prefix of the longer
    /// word.
    private static let rarity = 1_000.0

    /// Returns the candidates in order, the prefix of a longer word first if the keys spell no complete word, or only
    /// rare ones: "th" before "uh", on the way to "the".
    mutating func candidates(_ words: some WordSource, after previous: String?) throws -> [WordCandidate] {
        if let found { return found }
        var shown = try candidates(for: keys, words, after: previous)
        let longer = shown.first { !$0.isWhole }
        let isRare =
            if let first = shown.first, first.isWhole, first.frequency > 0, !first.isLearned, let longer {
                first.frequency * Self.rarity < longer.frequency
            } else { false }
        if isRare, let longer {
            let text = Self.prefix(of: longer.text, keys: letterKeys.count)
            // The prefix may be a word itself.
            let place = shown.firstIndex { $0.isWhole && $0.text == text }
            shown.insert(place.map { shown.remove(at: $0) } ?? WordCandidate(text: text, isWhole: false), at: 0)
        } else if !(shown.first?.isWhole ?? false) {
            shown.insert(try prefix(words, shown), at: 0)
        }
        found = shown
        return shown
    }

    /// Indicates that the current candidate is a suggestion: a word longer than the keys, chosen with NEXT.
    mutating func isSuggestion(_ words: some WordSource, after previous: String?) throws -> Bool {
        guard wasChosen, choice > 0, let chosen = try chosen(words, after: previous) else { return false }
        return !chosen.isWhole
    }

    private func candidates(
        for keys: [UInt8], _ words: some WordSource, after previous: String?
    ) throws -> [WordCandidate] {
        let list = try words.candidates(for: keys, after: previous, limit: Self.maximumCandidates)
        guard let stem else { return list }
        // Continuations of the chosen prefix come first.
        return list.filter { $0.text.hasPrefix(stem) } + list.filter { !$0.text.hasPrefix(stem) }
    }

    /// Returns the text for keys that match no word: the longest prefix of a word that they type, then the first letter
    /// of each remaining key.
    private func prefix(_ words: some WordSource, _ longer: [WordCandidate]) throws -> WordCandidate {
        var text = ""
        var (low, high) = (0, letterKeys.count)
        if let word = longer.first {
            (text, low) = (Self.prefix(of: word.text, keys: high), high)
        } else {
            // Binary search for the longest prefix of the keys with a word: all shorter prefixes have one, too.
            high = min(high, WordList.longestWord)
            while low < high {
                let middle = (low + high + 1) / 2
                if let word = try words.candidates(for: Array(letterKeys[..<middle]), after: nil, limit: 1).first {
                    (text, low) = (Self.prefix(of: word.text, keys: middle), middle)
                } else {
                    high = middle - 1
                }
            }
        }
        for key in letterKeys[low...] { text += words.letters(on: key).prefix(1).map(String.init).joined() }
        return WordCandidate(text: text, isWhole: false)
    }

    /// Returns the prefix of a word that a number of keys types, including apostrophes.
    private static func prefix(of word: String, keys: Int) -> String {
        var typed = 0
        let letters = word.prefix { letter in
            if letter == "'" { return typed < keys }
            typed += 1
            return typed <= keys
        }
        return String(letters)
    }

    /// Returns the current candidate, or nil if it is not a word.
    mutating func chosen(_ words: some WordSource, after previous: String?) throws -> WordCandidate? {
        let list = try candidates(words, after: previous)
        guard list.indices.contains(choice) else { return nil }
        // The first candidate may be a prefix.
        if choice == 0, !list[0].isWhole { return nil }
        return list[choice]
    }

    /// Returns the text of the current candidate.
    mutating func shown(_ words: some WordSource, after previous: String?) throws -> String {
        let list = try candidates(words, after: previous)
        return list.indices.contains(choice) ? list[choice].text : ""
    }

    /// Selects the next candidate, or the first one after the last.
    mutating func selectNext(_ words: some WordSource, after previous: String?) throws {
        let count = try candidates(words, after: previous).count
        choice = (choice + 1) % max(1, count)
        wasChosen = true
    }

    /// Appends a key.
    ///
    /// - Returns: `false`, with the word unchanged, if no word has an apostrophe in place of the mark.
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

    /// Removes the last key.
    ///
    /// - Returns: `false` if it was the only one.
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

/// A word in multi-tap entry: repeated presses of a key cycle through its letters and its digit.
struct MultiTapWord {
    /// The word so far.
    private(set) var text = ""
    private var key: UInt8?
    private var letterIndex = 0

    /// Handles a press of a key that has the given letters.
    mutating func tap(_ key: UInt8, letters: [Character]) {
        let letters = letters + [Character(Unicode.Scalar(key))]
        if key == self.key {
            letterIndex = (letterIndex + 1) % letters.count
            text.removeLast()
        } else {
            self.key = key
            letterIndex = 0
        }
        text.append(letters[letterIndex])
    }

    /// Ends the current letter; the next one may be on the same key.
    mutating func endLetter() { key = nil }

    /// Removes the last letter.
    ///
    /// - Returns: `false` if the word is empty now.
    mutating func removeLast() -> Bool {
        key = nil
        if !text.isEmpty { text.removeLast() }
        return !text.isEmpty
    }
}
