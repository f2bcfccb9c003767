import Foundation
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardStorage

/// The aids that the user takes.
private enum Use: String, CaseIterable {
    case words = "complete words"
    case suggestions = "suggestions taken"
    case learning = "the same, and learning"
}

/// Prints a row per use: its name, the number of words, the share of words whose first candidate is right and that of
/// words that had to be spelled, keystrokes per character of words and spaces, and of the whole text.
///
/// A line of the file is a paragraph. Tokens with digits or characters that no key types are left out.
func measureText(in file: String) throws {
    let paragraphs = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(tokens)
    guard let list = KeypadWords.list(for: "en") else { return }
    for use in Use.allCases {
        var columns: [Double] = []
        var typed = 0
        for isPlain in [true, false] {
            let learning = KeypadLearning(storage: try Storage.inMemory(migrations: [KeypadLearning.migrations]))
            var typist = Typist(
                words: PersonalWords(list, learning: { use == .learning ? learning : nil }), isPlain: isPlain,
                takesSuggestions: use != .words)
            for paragraph in paragraphs {
                for sentence in isPlain ? sentences(of: paragraph) : [paragraph] {
                    let words = try typist.type(sentence)
                    if use == .learning { try learning.record(words, language: "en") }
                }
            }
            typed = typist.words
            let words = Double(typist.words)
            if isPlain { columns = [Double(typist.first) / words, Double(typist.spelt) / words] }
            columns.append(Double(typist.strokes) / Double(typist.characters))
        }
        print(([use.rawValue, "\(typed)"] + columns.map { "\($0)" }).joined(separator: "\t"))
    }
}

private enum Token: Equatable {
    case word(String)
    case mark(String)
    case space
}

/// Returns the words, marks and spaces of a paragraph.
private func tokens(_ paragraph: Substring) -> [Token] {
    var result: [Token] = []
    for chunk in paragraph.split(separator: " ") {
        let letters = Array(chunk)
        let isTyped = letters.indices.allSatisfy { index in
            if TextEntry<WordList>.marks.contains(String(letters[index])), letters[index] != "1" {
                // A full stop between letters would become an apostrophe.
                let isInside = index > 0 && index + 1 < letters.count
                return
                    !(letters[index] == "." && isInside && letters[index - 1].isLetter && letters[index + 1].isLetter)
            }
            return letters[index].isLetter && wordKeys(of: String(letters[index])) != nil
        }
        guard isTyped else { continue }
        if !result.isEmpty { result.append(.space) }
        var word = ""
        for (index, letter) in letters.enumerated() {
            let isApostrophe =
                letter == "'" && !word.isEmpty && index + 1 < letters.count && letters[index + 1].isLetter
            if letter.isLetter || isApostrophe {
                word.append(letter)
                continue
            }
            if !word.isEmpty { result.append(.word(word)) }
            word = ""
            result.append(.mark(String(letter)))
        }
        if !word.isEmpty { result.append(.word(word)) }
    }
    return result
}

/// Returns the words of each sentence, with a space after each word.
private func sentences(of paragraph: [Token]) -> [[Token]] {
    var result: [[Token]] = [[]]
    for token in paragraph {
        switch token {
        case .word: result[result.count - 1] += [token, .space]
        case .mark(let mark):
            if [".", "?", "!"].contains(mark), result.last != [] { result.append([]) }
        case .space: break
        }
    }
    return result
}

/// A text that the keys did not type.
private struct WrongText: Error {
    let text: String
    let expected: String
}

/// A user who looks at the candidates after each key, takes the right one where that saves a key, and spells words that
/// are not offered.
private struct Typist {
    private let source: PersonalWords
    /// `true` to type words in the case of the list, `false` to type the text as it is.
    private let isPlain: Bool
    private let takesSuggestions: Bool
    private(set) var strokes = 0
    private(set) var characters = 0
    private(set) var words = 0
    private(set) var first = 0
    private(set) var spelt = 0

    /// The candidates after the first that the user looks at before the word is complete.
    private static let visible = 5

    init(words: PersonalWords, isPlain: Bool, takesSuggestions: Bool) {
        source = words
        self.isPlain = isPlain
        self.takesSuggestions = takesSuggestions
    }

    /// Types a paragraph by pressing the keys of a text entry, and checks the text.
    mutating func type(_ tokens: [Token]) throws -> [CommittedWord] {
        var entry = TextEntry(words: source)
        // A suggestion was taken whose space is typed by the next word.
        var owesSpace = false
        var expected = ""
        for (index, token) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            switch token {
            case .word(let word):
                expected += word
                owesSpace = try type(word, owesSpace: owesSpace, in: &entry)
            case .mark(let mark):
                expected += mark
                let last = index > 0 ? tokens[index - 1] : .space
                let marks =
                    if case .word = last { TextEntry<PersonalWords>.marks } else {
                        TextEntry<PersonalWords>.openingMarks
                    }
                try entry.press(.punctuation)
                for _ in 0..<(marks.firstIndex(of: mark) ?? 0) { try entry.press(.next) }
                owesSpace = false
            case .space:
                expected += " "
                if case .word = next, owesSpace { continue }
                owesSpace = false
                try entry.press(.space)
            }
        }
        try entry.finish()
        let text = try entry.text
        guard isPlain ? text.lowercased() == expected.lowercased() : text == expected else {
            throw WrongText(text: text, expected: expected)
        }
        strokes += entry.keystrokes
        characters += expected.count
        return entry.takeCommittedWords()
    }

    /// Types a word in the cheapest way.
    ///
    /// - Returns: `true` if it was taken as a suggestion, after which a letter types a space.
    private mutating func type(
        _ word: String, owesSpace: Bool, in entry: inout TextEntry<PersonalWords>
    ) throws -> Bool {
        words += 1
        var best: (entry: TextEntry<PersonalWords>, cost: Int, isSuggestion: Bool)?
        func consider(_ found: TextEntry<PersonalWords>, at place: Int, _ presses: Int, isSuggestion: Bool) throws {
            // The space after a suggestion is likely to be saved.
            let cost = 2 * (found.keystrokes + place + presses) - (isSuggestion ? 1 : 0)
            if let best, best.cost <= cost { return }
            var found = found
            for _ in 0..<place { try found.press(.next) }
            for _ in 0..<presses { try found.press(.letterCase) }
            best = (found, cost, isSuggestion)
        }
        if takesSuggestions {
            var trial = entry
            if owesSpace { try trial.press(.space) }
            if try trial.choice == nil && trial.unfinished.isEmpty,
                let (place, presses) = position(of: word, in: try trial.candidates.prefix(Self.visible))
            {
                try consider(trial, at: place + 1, presses, isSuggestion: true)
            }
        }
        var isFirst = false
        for keys in Set([keys(of: word, marks: true), keys(of: word, marks: false)]) {
            var trial = entry
            for (index, key) in keys.enumerated() {
                try trial.press(key)
                let isComplete = index + 1 == keys.count
                guard isComplete || takesSuggestions, trial.typedKeys.count == index + 1 else { continue }
                let candidates = try trial.candidates
                let seen = isComplete ? candidates.count : 1 + Self.visible
                guard let (place, presses) = position(of: word, in: candidates.prefix(seen)) else { continue }
                if isComplete, place == 0 { isFirst = true }
                try consider(trial, at: place, presses, isSuggestion: !isComplete && place > 0)
            }
        }
        if isFirst { first += 1 }
        if best == nil, let parts = try typeParts(of: word, in: entry) { best = (parts, 0, false) }
        if best == nil {
            var trial = entry
            if owesSpace { try trial.press(.space) }
            try spell(word, in: &trial)
            best = (trial, 0, false)
            spelt += 1
        }
        guard let best else { return false }
        entry = best.entry
        return best.isSuggestion
    }

    /// Types an unlisted word with an apostrophe as two words: "Huck's". Returns nil if that is not the text.
    private func typeParts(
        of word: String, in entry: TextEntry<PersonalWords>
    ) throws -> TextEntry<PersonalWords>? {
        guard let mark = word.lastIndex(of: "'") else { return nil }
        var entry = entry
        for part in [word[..<mark], word[word.index(after: mark)...]] {
            if part.startIndex > mark { try entry.press(.punctuation) }
            for key in keys(of: String(part), marks: false) { try entry.press(key) }
            guard let (place, presses) = position(of: String(part), in: try entry.candidates[...]) else { return nil }
            for _ in 0..<place { try entry.press(.next) }
            for _ in 0..<presses { try entry.press(.letterCase) }
        }
        let text = try entry.text
        return (isPlain ? text.lowercased().hasSuffix(word.lowercased()) : text.hasSuffix(word)) ? entry : nil
    }

    private func keys(of word: String, marks: Bool) -> [EntryKey] {
        word.compactMap { letter in
            if letter == "'" { return marks ? .punctuation : nil }
            return wordKeys(of: String(letter))?.first.map(EntryKey.letter)
        }
    }

    /// Returns the first candidate that is a word in some case, and the presses of `#` for that case.
    private func position(of word: String, in candidates: ArraySlice<String>) -> (place: Int, presses: Int)? {
        for (place, candidate) in candidates.enumerated() where candidate.count == word.count {
            if isPlain {
                if candidate.lowercased() == word.lowercased() { return (place, 0) }
                continue
            }
            let presses = LetterCase.allCases.firstIndex { $0.applied(to: candidate, language: "en") == word }
            if let presses { return (place, presses) }
        }
        return nil
    }

    /// Spells a word in multi-tap entry, part by part: apostrophes and a change of case end a part.
    private func spell(_ word: String, in entry: inout TextEntry<PersonalWords>) throws {
        var rest = Substring(isPlain ? word.lowercased() : word)
        while let letter = rest.first {
            if letter == "'" {
                try entry.press(.punctuation)
                for _ in 0..<(TextEntry<PersonalWords>.marks.firstIndex(of: "'") ?? 0) { try entry.press(.next) }
                rest.removeFirst()
                continue
            }
            var part = rest.prefix { $0 != "'" }
            while presses(for: part) == nil { part.removeLast() }
            try spellPart(part.lowercased(), presses: presses(for: part) ?? 0, in: &entry)
            rest = rest[part.endIndex...]
        }
    }

    private func spellPart(_ part: String, presses: Int, in entry: inout TextEntry<PersonalWords>) throws {
        if entry.isSpelling { try entry.press(.spell) }
        try entry.press(.spell)
        var last: UInt8?
        for letter in part {
            guard let key = wordKeys(of: String(letter))?.first else { continue }
            if key == last { try entry.press(.next) }
            for _ in 0...(source.letters(on: key).firstIndex(of: letter) ?? 0) { try entry.press(.letter(key)) }
            last = key
        }
        for _ in 0..<presses { try entry.press(.letterCase) }
    }

    /// The presses of `#` for a part of a word, or nil if `#` cannot produce its case.
    private func presses(for part: Substring) -> Int? {
        LetterCase.allCases.firstIndex { $0.applied(to: part.lowercased(), language: "en") == part }
    }
}
