import Foundation
import SwitchboardKeypad
import SwitchboardKeypadWords

/// A word of a list that is not a candidate for its own keys.
private struct NotOffered: Error {
    let language: String
    let word: String
}

/// Prints a row per language and set of words: keystrokes per character, share of words whose first candidate is right,
/// p50 and p99 of a lookup in µs, alone and after a word.
func measureLists(in folder: String) throws {
    for language in KeypadWords.languages {
        guard let list = KeypadWords.list(for: language.code) else { continue }
        for set in ["9025", "all"] {
            let file = URL(fileURLWithPath: folder).appending(path: "\(language.code).\(set).tsv")
            let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
                let cells = line.split(separator: "\t").map(String.init)
                return (word: cells[0], keys: Array(cells[1].utf8), frequency: Double(cells[2]) ?? 0)
            }
            var (strokes, letters, first, total) = (0.0, 0.0, 0.0, 0.0)
            for row in rows {
                var entry = TextEntry(words: list)
                for key in try EntryKey.keys(String(decoding: row.keys, as: UTF8.self)) { try entry.press(key) }
                guard let position = try entry.candidates.firstIndex(where: { $0.lowercased() == row.word }) else {
                    throw NotOffered(language: language.code, word: row.word)
                }
                try entry.press(.space)
                strokes += row.frequency * Double(entry.keystrokes + position)
                letters += row.frequency * Double(row.word.count + 1)
                first += position == 0 ? row.frequency : 0
                total += row.frequency
            }
            let times = lookUpTimes(rows.map(\.keys), list, after: nil)
            // The word that most others follow.
            let next = lookUpTimes(rows.map(\.keys), list, after: "the")
            let columns = [strokes / letters, first / total, times.p50, times.p99, next.p50, next.p99].map {
                String($0)
            }
            print(([language.code, set] + columns).joined(separator: "\t"))
        }
    }
}

/// The time for ten candidates, over the prefixes of words as they are typed: the shortest of five rounds for each.
private func lookUpTimes(_ words: [[UInt8]], _ list: WordList, after previous: String?) -> (p50: Double, p99: Double) {
    var random = SystemRandomNumberGenerator()
    var prefixes: [[UInt8]] = []
    for index in stride(from: 0, to: words.count, by: max(1, words.count / 600)) {
        for length in 1...max(1, words[index].count) { prefixes.append(Array(words[index].prefix(length))) }
    }
    var shortest = [Double](repeating: .infinity, count: prefixes.count)
    var found = 0
    for _ in 0..<5 {
        for index in prefixes.indices.shuffled(using: &random) {
            let start = ContinuousClock.now
            found += list.candidates(for: prefixes[index], after: previous, limit: 10).count
            shortest[index] = min(shortest[index], (ContinuousClock.now - start) / .microseconds(1))
        }
    }
    precondition(found > 0)
    let sorted = shortest.sorted()
    return (sorted[sorted.count / 2], sorted[min(sorted.count - 1, sorted.count * 99 / 100)])
}
