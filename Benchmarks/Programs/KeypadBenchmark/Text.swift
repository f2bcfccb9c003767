import Foundation
import SwitchboardKeypad
import SwitchboardKeypadLearning
import SwitchboardKeypadWords
import SwitchboardStorage

/// The use of earlier input.
private enum Personalization: String, CaseIterable {
    case none = "fixed order"
    case words = "learning"
    case context = "learning, and the word before"
    case suggestions = "the same, and suggestions taken"
}

/// Prints a row per kind of personalization: its name, words, keystrokes per character, share of words whose first
/// candidate is right, share of words that had to be spelt.
///
/// The user types each word by its keys, looks at the end, presses NEXT until it is right, and spells words that are
/// not offered. Nothing is learnt at the start.
func measureText(in file: String) throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    guard let list = KeypadWords.list(for: "en") else { return }
    let words = tokens(text)
    for personalization in Personalization.allCases {
        let storage = try Storage.inMemory(migrations: [KeypadLearning.migrations])
        let learning = KeypadLearning(storage: storage)
        let source = PersonalWords(list, learning: { personalization == .none ? nil : learning })
        let usesContext = personalization == .context || personalization == .suggestions
        var (strokes, letters, first, spelt) = (0, 0, 0, 0)
        var previous: String?
        for (word, isEnd) in words {
            letters += word.count + 1
            let context = usesContext ? previous : nil
            let keys = digits(of: word).utf8.filter { $0 != UInt8(ascii: "0") }
            let position = try source.candidates(for: keys, after: context, limit: 50).firstIndex { $0.text == word }
            var cost = position.map { keys.count + $0 } ?? spelling(word, list)
            if personalization == .suggestions, let context,
                let suggested = try source.suggestions(after: context, limit: 3).firstIndex(where: { $0.text == word })
            {
                cost = min(cost, suggested + 1)
            }
            strokes += cost + 1
            if position == 0 { first += 1 }
            if position == nil { spelt += 1 }
            if personalization != .none, let keys = wordKeys(of: word) {
                try learning.record(
                    [CommittedWord(text: word, keys: keys, previous: context, wasChosen: position != 0)], language: "en"
                )
            }
            previous = isEnd ? nil : word
        }
        let columns = [
            "\(words.count)", "\(Double(strokes) / Double(letters))", "\(Double(first) / Double(words.count))",
            "\(Double(spelt) / Double(words.count))",
        ]
        print(([personalization.rawValue] + columns).joined(separator: "\t"))
    }
}

/// The words of a text in lower case, and whether each ends a sentence.
private func tokens(_ text: String) -> [(word: String, isEnd: Bool)] {
    text.split(whereSeparator: \.isWhitespace).compactMap { token in
        let word = token.lowercased().trimmingCharacters(in: CharacterSet.letters.inverted)
        guard !word.isEmpty, wordKeys(of: word) != nil, !word.contains("-") else { return nil }
        return (word, token.contains { ".?!".contains($0) })
    }
}

/// The keystrokes for spelling a word: one to begin, taps, and NEXT between two letters of one key.
private func spelling(_ word: String, _ list: WordList) -> Int {
    var strokes = 1
    var last: UInt8?
    for letter in word {
        guard let key = wordKeys(of: String(letter))?.first else {
            strokes += 1
            continue
        }
        strokes += (list.letters(on: key).firstIndex(of: letter) ?? 0) + 1 + (key == last ? 1 : 0)
        last = key
    }
    return strokes
}
