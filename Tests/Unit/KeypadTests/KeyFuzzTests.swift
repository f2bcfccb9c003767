import Foundation
import SwitchboardKeypad
import SwitchboardKeypadWords
import SwitchboardTestSupport
import Testing

/// Random keys and corrupt word lists never trap, and invalid keys are rejected with their position.
///
/// `Scripts/fuzz keys ROUNDS` runs more rounds.
@Suite("Random keys")
struct KeyFuzzTests {
    private static let rounds = ProcessInfo.processInfo.environment["FUZZ_ROUNDS"].flatMap { Int($0) } ?? 500

    /// The inputs to mutate, including those of past failures.
    static let corpus = [
        "5646", "+44 7700 900123", "(02) 555-0123", "00 49 30", "٠٥٣٢", "２３４", "8430 3673*", "#843*0 63", "/44*444/0",
        "43556 1**0",
        "5 1 328", "843<<<<", "*0*0*", "###", "1*1*1", "\u{202A}+44\u{202C}", "3673*#0<<",
    ]
    private static let pieces = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#", "/", "<", "+", " ", "-", "(", ")", ".", "\u{FF0B}",
        "٣", "３", "²", "½",
        "Ⅷ", "a", "é", "\u{301}", "\u{200F}", "\u{0}", "\n", "\r\n", "😀", "2222222222", "********", "<<<<<<<<",
    ]

    private static func mutated(_ random: inout SystemRandomNumberGenerator) -> String {
        var characters = Array(corpus.randomElement(using: &random) ?? "")
        for _ in 0...Int.random(in: 0...6, using: &random) {
            let place = Int.random(in: 0...characters.count, using: &random)
            let removed = place..<min(characters.count, place + Int.random(in: 0...3, using: &random))
            characters.replaceSubrange(removed, with: Array(pieces.randomElement(using: &random) ?? ""))
        }
        return String(characters)
    }

    @Test("Any text is parsed or rejected with the position of an invalid key")
    func texts() {
        var random = SystemRandomNumberGenerator()
        var (read, refused) = (0, 0)
        for _ in 0..<Self.rounds {
            let text = Self.mutated(&random)
            do {
                let query = try KeypadQuery(parsing: text)
                read += 1
                #expect(query.keys.allSatisfy { (0x30...0x39).contains($0) }, "\(text.debugDescription)")
                // The parsed keys parse to the same query.
                let written = (query.isInternational ? "+" : "") + String(decoding: query.keys, as: UTF8.self)
                #expect((try? KeypadQuery(parsing: written)) == query, "\(text.debugDescription)")
            } catch {
                refused += 1
                guard case .notAKey(let character, let position) = error else { continue }
                #expect(Array(text)[position - 1] == character, "\(text.debugDescription)")
            }
            do {
                let keys = try EntryKey.keys(text)
                let written = String(keys.map(\.symbol))
                #expect((try? EntryKey.keys(written)) == keys, "\(text.debugDescription)")
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(read > 0 && refused > 0)
        print("Keys read: \(read), refused: \(refused)")
    }

    @Test("Random keys yield text and can all be deleted", arguments: ["en", "ru", "tr", "el"])
    func entry(_ language: String) throws {
        let words = try #require(KeypadWords.list(for: language))
        var random = SystemRandomNumberGenerator()
        let symbols = Array("2345678922334455667788990011**##//<<")
        for _ in 0..<Self.rounds {
            let length = Int.random(in: 0...8, using: &random) == 0 ? 400 : Int.random(in: 0...30, using: &random)
            let keys = (0..<length).compactMap { _ in symbols.randomElement(using: &random) }
            var entry = TextEntry(words: words)
            for symbol in keys { try entry.press(try #require(EntryKey(symbol))) }
            #expect(entry.keystrokes == keys.count)
            let text = try entry.text
            let unfinished = try entry.unfinished
            #expect(text.hasSuffix(unfinished), "\(String(keys))")
            let candidates = try entry.candidates
            if let choice = entry.choice { #expect(candidates.indices.contains(choice), "\(String(keys))") }
            // Each press deletes at least one character or the composition.
            for _ in 0...(text.count + keys.count) { try entry.press(.delete) }
            let rest = try entry.text
            #expect(rest.isEmpty, "\(String(keys)): \(rest)")
            try entry.finish()
        }
        print("Texts entered (\(language)): \(Self.rounds)")
    }

    @Test("Corrupt word lists are rejected or searched without a trap")
    func lists() {
        var wordRandom = SplitMix(seed: 3)
        let words = (0..<500).map { number in
            let letters = (0..<Int.random(in: 1...12, using: &wordRandom)).map { _ in
                "aabbcdefmnopqz'".randomElement(using: &wordRandom) ?? "a"
            }
            return (text: "a" + String(letters), cost: UInt16(100 + number))
        }
        var random = SystemRandomNumberGenerator()
        let packed = PackedWords(words)
        let sound = Array(packed.bytes())
        var (opened, refused) = (0, 0)
        for _ in 0..<Self.rounds {
            packed.memory.copyBytes(from: sound)
            for _ in 0...Int.random(in: 0...4, using: &random) {
                let range = Bool.random(using: &random) ? sound.count : min(sound.count, 160)
                packed.memory[Int.random(in: 0..<range, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let list = try? WordList(packed.bytes()) else {
                refused += 1
                continue
            }
            opened += 1
            for keys in ["2", "22", "2612", "9999999999", "1", ""] {
                _ = list.candidates(for: Array(keys.utf8), limit: 5)
            }
            var entry = TextEntry(words: list)
            for key in (try? EntryKey.keys("22*0#3/4<")) ?? [] { try? entry.press(key) }
            _ = try? entry.text
        }
        #expect(opened > 0)
        print("Lists opened: \(opened), refused: \(refused)")
    }
}
