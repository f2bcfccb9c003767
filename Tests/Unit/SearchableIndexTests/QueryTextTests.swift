import Foundation
import SwitchboardSearchableIndex
import SwitchboardTestSupport
import Testing

/// A source of attributes for the evaluation of queries.
struct SampleItem: AttributeSource {
    var attributes: [String: [AttributeValue]]

    func values(of attribute: String) -> [AttributeValue] { attributes[attribute] ?? [] }
}

@Suite("Text comparisons")
struct QueryTextTests {
    static let cases: [(query: String, title: String, matches: Bool)] = [
        (#"title == "Paris""#, "Paris", true),
        (#"title == "Paris""#, "paris", false),
        (#"title == "Paris""#, "I love Paris", false),
        (#"title = "Paris""#, "Paris", true),
        ("title == 'Paris'", "Paris", true),
        (#"title=="Paris""#, "Paris", true),
        (#"title == "Paris"c"#, "Paris", true),
        (#"title == "Paris"c"#, "paris", true),
        (#"title == "Paris"c"#, "PARIS", true),
        (#"title == "Paris"c"#, "I love Paris", false),
        (#"title == [c] "Paris""#, "paris", true),
        (#"title == [cd] "Frédéric""#, "frederic", true),
        (#"title == [w]"Paris"c"#, "i love paris", true),
        (#"title == "Paris"wc"#, "I love Paris", true),
        (#"title == "Paris"cw"#, "paris-france.jpg", true),
        (#"title == "Paris"wc"#, "Comparison", false),
        (#"title == "Paris"w"#, "paris-france.jpg", false),
        (#"title == "Window"w"#, "MyWindowClass", true),
        (#"title == "Window"w"#, "Broken Window", true),
        (#"title == "Window"w"#, "NSWindow", false),
        (#"title == "My"w"#, "MyWindowClass", true),
        (#"title == "Class"w"#, "MyWindowClass", true),
        (#"title == "MyWindow"w"#, "MyWindowClass", true),
        (#"title == "window"wc"#, "MyWindowClass", true),
        (#"title == "window"wcd"#, "MyWindowClass", true),
        (#"title == "window"wcd"#, "NSWindow", false),
        (#"title == "nswindow"wcd"#, "NSWindow", true),
        (#"title == "Frédéric"cd"#, "frederic", true),
        (#"title == "Frédéric"cd"#, "FRÉDÉRIC", true),
        (#"title == "frederic"cd"#, "Frédéric", true),
        (#"title == "frederic"c"#, "Frédéric", false),
        (#"title == "Frederic"d"#, "Frédéric", true),
        (#"title == "frederic"d"#, "Frédéric", false),
        (#"title == "Frédéric""#, "Frédéric", true),
        ("title == \"Fre\u{301}de\u{301}ric\"", "Frédéric", true),
        (#"title == "strasse"cd"#, "Straße", true),
        (#"title == "STRASSE"c"#, "Straße", true),
        (#"title == "ΟΔΟΣ"c"#, "οδος", true),
        (#"title == "lodz"cd"#, "Łódź", true),
        (#"title == "москва"c"#, "МОСКВА", true),
        (#"title == "paris*""#, "parisol", true),
        (#"title == "paris*""#, "paris", true),
        (#"title == "paris*""#, "comparison", false),
        (#"title == "*paris*""#, "comparison", true),
        (#"title == "*paris*""#, "paris", true),
        (#"title == "*paris*""#, "pari", false),
        (#"title == "*son""#, "comparison", true),
        (#"title == "*son""#, "sonar", false),
        (#"title == "c*p*n""#, "comparison", true),
        (#"title == "c*x*n""#, "comparison", false),
        (#"title == "ab*ba""#, "aba", false),
        (#"title == "ab*ba""#, "abba", true),
        (#"title == "a*b*b""#, "ab", false),
        (#"title == "a**b""#, "ab", true),
        (#"title == "**""#, "", true),
        (#"title == """#, "", true),
        (#"title == """#, "x", false),
        (#"title == "PARIS*"c"#, "parisol", true),
        (#"title == "*élan*"cd"#, "Le grand ELAN vital", true),
        (#"title == "par*"w"#, "I love parisol", true),
        (#"title == "par*"w"#, "comparison", false),
        (#"title == "*son"w"#, "a comparison here", true),
        (#"title == "*ari"w"#, "comparison", false),
        (#"title == "l*e par*"w"#, "I love parisol", true),
        (#"title == "love Paris"w"#, "I love Paris so", true),
        (#"title == "love Par"w"#, "I love Paris so", false),
        (#"title == "a"w"#, "banana a", true),
        (#"title == "an"w"#, "banana", false),
        (#"title == "C++"w"#, "Effective C++ today", true),
        (#"title == "Paris love"t"#, "I love Paris", true),
        (#"title == "paris LOVE"ct"#, "I love Paris", true),
        (#"title == "paris love"t"#, "I love Paris", false),
        (#"title == "paris hate"ct"#, "I love Paris", false),
        (#"title == "par love"ct"#, "I love Paris", false),
        (#"title == "par* love"ct"#, "I love Paris", true),
        (#"title == "elan, grand!"cdt"#, "Le grand Élan", true),
        (#"title == "..."t"#, "...", false),
        (#"title == "Paris-France"t"#, "France, not Paris", true),
        (#"title == "a\*b""#, "a*b", true),
        (#"title == "a\*b""#, "axb", false),
        (#"title == "say \"hi\"""#, #"say "hi""#, true),
        (#"title == 'it\'s'"#, "it's", true),
        (#"title == "it's""#, "it's", true),
        (#"title == "back\\slash""#, #"back\slash"#, true),
        (#"title != "Paris""#, "Paris", false),
        (#"title != "Paris""#, "London", true),
        (#"title != "Paris"c"#, "paris", false),
        ("title == *", "x", true),
        ("title != *", "x", false),
        ("displayName == *", "x", false),
        ("displayName != *", "x", true),
        (#"displayName != "x""#, "x", true),
        (#"* == "paris"c"#, "Paris", true),
        (#"* == "*ari*""#, "Paris", true),
        (#"* == "London""#, "Paris", false),
        ("* == *", "Paris", true),
        (#"* != "London""#, "Paris", true),
        (#"!title == "Paris""#, "Paris", false),
        (#"!(title == "Paris")"#, "London", true),
        (#"!!title == "Paris""#, "Paris", true),
        (#"title == "a" || title == "b""#, "b", true),
        (#"title == "a" || title == "b""#, "c", false),
        (#"title == "a*" && title == "*b""#, "ab", true),
        (#"title == "a*" && title == "*b""#, "ac", false),
        (#"title == "x" || title == "a*" && title == "*c""#, "ab", false),
        (#"title == "x" || title == "a*" && title == "*b""#, "x", true),
        (#"(title == "x" || title == "a*") && title == "*b""#, "x", false),
        (#"((title == "x"))"#, "x", true),
    ]

    @Test("Text comparisons match titles", arguments: cases)
    func title(query: String, title: String, matches: Bool) throws {
        let predicate = try AttributeQuery(query).predicate(at: Date(), in: .current)
        #expect(predicate.matches(SampleItem(attributes: ["title": [.text(title)]])) == matches)
    }

    @Test("ASCII texts match as they do before other letters", arguments: 0..<20 as Range<UInt64>)
    func ascii(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let letters = Array("abYZ09 '-._\n")
        func text(_ length: Int) -> String {
            String((0..<length).map { _ in letters[Int.random(in: letters.indices, using: &random)] })
        }
        let modifiers = ["", "c", "d", "cd", "w", "wc", "wd", "wcd"]
        var matched = 0
        for _ in 0..<100 {
            let title = text(12)
            let start = title.index(title.startIndex, offsetBy: Int.random(in: 0..<10, using: &random))
            var piece = String(title[start...].prefix(3))
            if Bool.random(using: &random) { piece = piece.uppercased() }
            for modifier in modifiers {
                let predicate = try AttributeQuery("title == \"*\(piece)*\"\(modifier)")
                    .predicate(at: Date(), in: .current)
                let found = [title, title + "Я"].map {
                    predicate.matches(SampleItem(attributes: ["title": [.text($0)]]))
                }
                #expect(found[0] == found[1], "\(piece) in \(title) with \(modifier)")
                if found[0] { matched += 1 }
            }
        }
        #expect((300..<800).contains(matched))
    }

    @Test("Wildcards do not backtrack in a long text")
    func longText() throws {
        let text = String(repeating: "ab ", count: 30_000)
        let predicate = try AttributeQuery(#"title == "a*b*ab*x"w"#).predicate(at: Date(), in: .current)
        #expect(!predicate.matches(SampleItem(attributes: ["title": [.text(text)]])))
    }
}
