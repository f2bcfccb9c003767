import Foundation
import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardPeopleSearch
import SwitchboardStorage
import Testing

@testable import SwitchboardContacts

/// Names in other scripts are found as they are written, as they are typed, and while they are typed.
@Suite("Contacts in many scripts")
struct ScriptSearchTests {
    private func found(_ text: String, in search: ContactSearch) throws -> [String] {
        // The parts of a Korean or Chinese name are shown without a space.
        try search.search(SearchInput(text), limit: 0).hits.map { $0.person.displayName.replacing(" ", with: "") }
    }

    /// Checks that each text finds names, among others.
    private func check(_ cases: [(String, [String])], among names: [String]) throws {
        let search = try ContactSearchTests.search(names)
        for (text, expected) in cases {
            let found = try found(text, in: search)
            for name in expected {
                #expect(found.contains(name.replacing(" ", with: "")), "\(text): \(found)")
            }
        }
    }

    @Test("A name is found by all forms of its Han characters")
    func hanForms() throws {
        let names = [
            "髙橋健太", "高橋美咲", "渡邉一郎", "渡辺花", "渡邊翔", "齋藤蓮", "斎藤陽菜", "斉藤健", "山﨑大輔", "山崎葵", "陳志明", "陈志强", "張偉", "张伟",
            "葉文", "叶文", "劉洋", "刘洋", "國木田", "国木田", "佐々木希",
        ]
        try check(
            [
                ("高橋", ["髙橋健太", "高橋美咲"]), ("髙橋", ["髙橋健太", "高橋美咲"]), ("渡辺", ["渡邉一郎", "渡辺花", "渡邊翔"]),
                ("渡邉", ["渡邉一郎", "渡辺花", "渡邊翔"]), ("斉藤", ["齋藤蓮", "斎藤陽菜", "斉藤健"]), ("齊藤", ["齋藤蓮", "斎藤陽菜", "斉藤健"]),
                ("山崎", ["山﨑大輔", "山崎葵"]), ("山﨑", ["山﨑大輔", "山崎葵"]), ("陈", ["陳志明", "陈志强"]), ("陳", ["陳志明", "陈志强"]),
                ("张", ["張偉", "张伟"]), ("叶", ["葉文", "叶文"]), ("劉洋", ["劉洋", "刘洋"]), ("国木田", ["國木田", "国木田"]),
                ("佐佐木", ["佐々木希"]), ("佐々木", ["佐々木希"]), ("zuozuomu", ["佐々木希"]),
            ], among: names)
    }

    @Test("Two forms of a family name are two people for an import")
    func identity() throws {
        let book = ContactBook(storage: try .inMemory(migrations: [ContactBook.migrations]), region: nil)
        for name in ["斉藤健", "斎藤健", "김기문", "기문"] { _ = try book.add(Contact(name: PersonName(splitting: name))) }
        #expect(try book.list().count == 4)
    }

    @Test("A phonetic name is found by iteration marks and without")
    func iterationMarks() throws {
        try check(
            [
                ("みすず", ["みすゞ"]), ("misuzu", ["みすゞ"]), ("みすゞ", ["みすゞ"]), ("いすず", ["いすゞ自動車"]), ("isuzu", ["いすゞ自動車"]),
                ("こころ", ["こゝろ"]),
                ("ススム", ["スヽム"]), ("すすむ", ["スヽム"]),
            ], among: ["みすゞ", "いすゞ自動車", "こゝろ", "スヽム", "みさき"])
    }

    @Test("Korean names are found by initial consonants, with any number of syllables")
    func initials() throws {
        let names = [
            "박지훈", "반기문", "기문", "이하늘", "강감찬", "엄마", "아빠 폰", "카카오톡", "삼성전자", "남궁민수", "우리은행", "닭갈비 집", "김나영",
        ]
        try check(
            [
                ("ㅂㅈㅎ", ["박지훈"]), ("ㅇㅁ", ["엄마"]), ("ㅋㅋㅇㅌ", ["카카오톡"]), ("ㅅㅅㅈㅈ", ["삼성전자"]), ("ㄴㄱㅁㅅ", ["남궁민수"]),
                ("ㄱㅁ", ["기문", "반기문"]),
                ("ㅇㄹㅇㅎ", ["우리은행"]), ("ㄷㄱㅂ", ["닭갈비 집"]), ("ㅇㅃㅍ", ["아빠 폰"]), ("ㅇㅌ", ["카카오톡"]), ("ㅂㄱㅁ", ["반기문"]),
            ], among: names)
        let search = try ContactSearchTests.search(names)
        #expect(try found("ㅋㅋㅇㅌ", in: search) == ["카카오톡"])
    }

    @Test("Korean syllables are found before their last consonant moves to the next one")
    func compositions() throws {
        try check(
            [
                ("김", ["기문", "김나영"]), ("한", ["이하늘"]), ("달", ["닭갈비 집"]), ("음", ["으믐", "음악"]), ("반김", ["반기문"]),
                ("이한", ["이하늘"]),
                ("김ㅜ", ["기문"]), ("닭ㅏ", ["달가"]),
            ], among: ["기문", "반기문", "이하늘", "닭갈비 집", "김나영", "으믐", "음악", "달가"])
    }

    @Test("Hebrew abbreviations are found as they are typed, exactly")
    func gershayim() throws {
        let search = try ContactSearchTests.search(["חב דני", "דן חבר", "חב״ד", "רמב״ם", "ג׳ורג׳ כהן"])
        for (text, name) in [
            ("חב\"ד", "חב״ד"), ("חב״ד", "חב״ד"), ("חבד", "חב״ד"), ("רמב\"ם", "רמב״ם"), ("רמב”ם", "רמב״ם"),
            ("ג'ורג'", "ג׳ורג׳ כהן"),
        ] {
            let hits = try search.search(SearchInput(text)).hits
            #expect(hits.first?.person.displayName == name, "\(text)")
            if name != "ג׳ורג׳ כהן" { #expect(hits.first?.match == .exact, "\(text)") }
        }
    }

    @Test("Indian names are found in both spellings of a nasal, in Latin letters and by keys")
    func indic() throws {
        let names = [
            "कृष्ण कुमार", "ऋषि कपूर", "ज्ञान प्रकाश", "राहुल शर्मा", "मनमोहन सिंह", "शरद जोशी", "हिंदी प्रेमी", "हिन्दी साहित्य", "चंद्र बोस", "चन्द्र शेखर",
            "ਗੁਰਪ੍ਰੀਤ ਕੌਰ", "লক্ষ্মী সেন", "முருகன் ராஜா",
        ]
        try check(
            [
                ("krishna", ["कृष्ण कुमार"]), ("rishi", ["ऋषि कपूर"]), ("gyan", ["ज्ञान प्रकाश"]), ("sharma", ["राहुल शर्मा"]),
                ("singh", ["मनमोहन सिंह"]),
                ("joshi", ["शरद जोशी"]), ("हिन्दी", ["हिंदी प्रेमी", "हिन्दी साहित्य"]), ("हिंदी", ["हिंदी प्रेमी", "हिन्दी साहित्य"]),
                ("चन्द्र", ["चंद्र बोस", "चन्द्र शेखर"]), ("gurpreet", ["ਗੁਰਪ੍ਰੀਤ ਕੌਰ"]), ("lakshmi", ["লক্ষ্মী সেন"]),
                ("murugan", ["முருகன் ராஜா"]),
                ("krishna kumar", ["कृष्ण कुमार"]), ("कृष्ण", ["कृष्ण कुमार"]),
            ], among: names)
        let search = try ContactSearchTests.search(names)
        for (keys, name) in [("5747462", "कृष्ण कुमार"), ("4296", "कृष्ण कुमार"), ("74744", "ऋषि कपूर"), ("929", "मनमोहन सिंह")] {
            let found = try ContactSearchTests.dial(keys, in: search).map(\.person.displayName)
            #expect(found.contains(name), "\(keys): \(found)")
        }
    }

    // MARK: - While typing

    /// Names as they are shown after each key. The law: a name is found by each of these texts.
    static let typed: [(name: String, shown: [String])] =
        korean.map { ($0, composed($0)) } + japanese.map { parts in (parts.map(\.kana).joined(), composed(parts)) }
        + vietnamese.map { ($0, telex($0)) } + byLetter.map { name in (name, prefixes(name)) }

    @Test("A name stays in the list while an input method composes it", arguments: typed)
    func staysWhileTyped(name: String, shown: [String]) throws {
        let search = try Self.everyone.get()
        #expect(shown.count >= name.count && shown.last == name)
        for text in shown where !text.allSatisfy(\.isWhitespace) {
            #expect(try found(text, in: search).contains(name.replacing(" ", with: "")), "\(text) loses \(name)")
        }
    }

    private static let everyone = Result { try ContactSearchTests.search(typed.map(\.name)) }

    private static let korean = [
        "기문", "반기문", "이하늘", "강감찬", "김나영", "박지훈", "최은영", "윤서연", "정예원", "권도현", "황보석", "남궁민수", "카카오톡", "삼성전자", "닭갈비 집",
        "과자 원",
        "왕의 귀환", "웬디", "쌍용", "앉은뱅이", "흙놀이", "값진 꿈", "없음", "까치", "의사 선생님",
    ]

    /// Returns a text as a two-set input method shows it after each key.
    private static func composed(_ text: String) -> [String] {
        var shown: [String] = []
        var done = ""
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            let strokes = strokes(of: character)
            guard strokes.count > 1 else {
                done.append(character)
                shown.append(done)
                continue
            }
            for count in strokes.indices {
                // The first consonant of a syllable is shown as the last one of the syllable before, if it can be.
                let isMoving = count == 0 && index > 0
                if isMoving, let moved = adding(strokes[0], to: characters[index - 1]) {
                    shown.append(String(done.dropLast()) + String(moved))
                } else {
                    shown.append(done + String(strokes[count]))
                }
            }
            done.append(character)
        }
        return shown
    }

    /// Returns the texts that are shown after each key of a syllable, as single characters.
    private static func strokes(of character: Character) -> [Character] {
        guard let value = character.unicodeScalars.first?.value, (0xAC00...0xD7A3).contains(value) else {
            return [character]
        }
        let (initial, vowel, final) = ((value - 0xAC00) / 588, (value - 0xAC00) % 588 / 28, (value - 0xAC00) % 28)
        var shown: [Character] = [Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")[Int(initial)]]
        // ㅘ is typed as ㅗ and ㅏ, ㄺ as ㄹ and ㄱ.
        let firstVowel: [UInt32: UInt32] = [9: 8, 10: 8, 11: 8, 14: 13, 15: 13, 16: 13, 19: 18]
        let firstFinal: [UInt32: UInt32] = [3: 1, 5: 4, 6: 4, 9: 8, 10: 8, 11: 8, 12: 8, 13: 8, 14: 8, 15: 8, 18: 17]
        for vowel in [firstVowel[vowel], vowel].compactMap({ $0 }) { shown.append(syllable(initial, vowel, 0)) }
        for final in [firstFinal[final], final].compactMap({ $0 }) where final > 0 {
            shown.append(syllable(initial, vowel, final))
        }
        return shown
    }

    /// Returns a syllable with a consonant added at its end, or nil if it cannot have it.
    private static func adding(_ consonant: Character, to character: Character) -> Character? {
        guard let value = character.unicodeScalars.first?.value, (0xAC00...0xD7A3).contains(value) else { return nil }
        let finals = Array(" ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
        let pairs = [
            "ㄱㅅ": 3, "ㄴㅈ": 5, "ㄴㅎ": 6, "ㄹㄱ": 9, "ㄹㅁ": 10, "ㄹㅂ": 11, "ㄹㅅ": 12, "ㄹㅌ": 13, "ㄹㅍ": 14, "ㄹㅎ": 15, "ㅂㅅ": 18,
        ]
        let final = Int(value - 0xAC00) % 28
        let added = final == 0 ? finals.firstIndex(of: consonant) : pairs[String([finals[final], consonant])]
        return added.flatMap { Unicode.Scalar(value - UInt32(final) + UInt32($0)) }.map { Character($0) }
    }

    private static func syllable(_ initial: UInt32, _ vowel: UInt32, _ final: UInt32) -> Character {
        Unicode.Scalar(0xAC00 + initial * 588 + vowel * 28 + final).map { Character($0) } ?? " "
    }

    private typealias Mora = (kana: String, keys: String)

    private static let japanese: [[Mora]] = [
        [("さ", "sa"), ("と", "to"), ("う", "u")], [("け", "ke"), ("ん", "n"), ("じ", "ji")],
        [("は", "ha"), ("し", "shi"), ("も", "mo"), ("と", "to")],
        [("り", "ri"), ("ょ", "yo"), ("う", "u")], [("さ", "sa"), ("っ", "p"), ("ぽ", "po"), ("ろ", "ro")],
        [("ふ", "fu"), ("じ", "zi"), ("た", "ta")],
        [("つ", "tsu"), ("ば", "ba"), ("さ", "sa")], [("き", "ki"), ("ょ", "yo"), ("う", "u"), ("こ", "ko")],
        [("ち", "chi"), ("え", "e")],
        [("み", "mi"), ("す", "su"), ("ず", "zu")], [("タ", "ta"), ("ナ", "na"), ("カ", "ka")], [("ま", "ma"), ("り", "ri")],
    ]

    /// Returns kana as an input method shows them after each Latin key.
    private static func composed(_ parts: [Mora]) -> [String] {
        var shown: [String] = []
        var done = ""
        for (kana, keys) in parts {
            // Small kana and ん follow the kana before them without Latin letters here.
            let isWhole = ["ょ", "っ", "ん"].contains(kana)
            if !isWhole { for count in 1..<max(keys.count, 1) { shown.append(done + keys.prefix(count)) } }
            done += kana
            shown.append(done)
        }
        return shown
    }

    private static let vietnamese = [
        "Nguyễn Văn Đức", "Trần Thị Hoà", "Lê Quốc Hưng", "Phạm Thùy Dương", "Đặng Thành Công", "Bùi Xuân Phượng",
        "Võ Ngọc Ánh", "Hồ Tấn Tài",
    ]

    /// Returns a name as Telex shows it after each key: a letter, then its shape, and at the end of the syllable the tone.
    private static func telex(_ name: String) -> [String] {
        let tones: Set<Unicode.Scalar> = ["\u{300}", "\u{301}", "\u{303}", "\u{309}", "\u{323}"]
        var shown: [String] = []
        var done = ""
        for syllable in name.split(separator: " ") {
            if !done.isEmpty { done += " " }
            var typed = ""
            for character in syllable {
                let scalars = String(character).decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                    !tones.contains($0)
                }
                if let base = scalars.first, scalars.count > 1 || character == "Đ" || character == "đ" {
                    shown.append(done + typed + (character == "Đ" ? "D" : character == "đ" ? "d" : String(base)))
                }
                typed += String(String.UnicodeScalarView(scalars)).precomposedStringWithCanonicalMapping
                shown.append(done + typed)
            }
            done += syllable
            shown.append(done)
        }
        return shown
    }

    /// Names that are typed letter by letter.
    private static let byLetter = [
        "हिन्दी साहित्य", "हिंदी प्रेमी", "चन्द्र शेखर", "कृष्ण कुमार", "सुनील शर्मा", "পঞ্চানন ঘোষ", "ਸੰਦੀਪ ਸਿੰਘ", "ஆனந்த் ராமன்", "వెంకటేష్ రెడ్డి", "ಮಂಜುನಾಥ್",
        "കൃഷ്ണൻ നായർ", "王小明", "髙橋健太", "佐々木希", "欧阳修", "みすゞ", "Γιώργος Παππάς", "Юрий Жуков", "משה כהן", "חב״ד", "محمد علي",
        "გიორგი ბერიძე",
        "Արամ Խաչատրյան", "สมชาย ใจดี",
    ]

    private static func prefixes(_ name: String) -> [String] {
        let scalars = Array(name.unicodeScalars)
        return (1...scalars.count).map { String(String.UnicodeScalarView(scalars.prefix($0))) }
    }
}
