import SwitchboardIncrementalIndex
import SwitchboardKeypad
import SwitchboardSearchEngine
import SwitchboardTestSupport
import Testing

@testable import SwitchboardContacts

/// The places of matches in names that are folded only if they must be, and in the same names folded in advance.
@Suite("Highlights of people")
struct PersonHighlightTests {
    private static let names = [
        "Юрий Алексеевич Гагарин", "Ёлкин-Зайцев Фёдор", "Ελένη Παπαδοπούλου", "Գարեգին Նժդեհ", "გიორგი მარგველაშვილი",
        "דוד בן גוריון", "צ'רלי כהן", "محمد علي كلاي", "孙勇", "王小明 Wang", "歐陽娜娜", "田中 さくら", "김민수", "남궁 민 Kim",
        "Straße nach Kraków", "José Núñez y Æsir", "½ Ana ﬁne", "☎ 王 ☂ Ли", "… 勇", "नमस्ते राम", "O’Neil Đorđe Žižić",
    ]

    private static func people() throws -> [(folded: PersonTexts, unfolded: PersonTexts)] {
        try names.indices.map { number in
            // Every other person has a second name, and a first without letters.
            let texts: [PersonTexts.Text<ContactField>] =
                number % 2 == 0
                ? [(.displayName, 0, names[number])]
                : [
                    (.displayName, 0, number % 3 == 0 ? "☎ …" : names[number]),
                    (ContactField(1), 0, names[(number + 7) % names.count]),
                ]
            var unfolded = PersonTexts(of: ContactField.self)
            for (field, position, text) in texts { unfolded.append(Array(text.utf8)[...], field, position) }
            return (try #require(PersonTexts(PersonTexts.serialized(texts), of: ContactField.self)), unfolded)
        }
    }

    @Test("are the same whether names are folded in advance or only if they must be")
    func agree() throws {
        let people = try Self.people()
        var builder = IndexBuilder(fields: PersonField.allCases.map(\.options))
        for (number, person) in people.enumerated() {
            builder.beginDocument(id: Int64(number), rank: UInt64(number))
            builder.add(person.folded)
        }
        let index = try builder.build(generation: 1)
        var random = SplitMix(seed: 26)
        let letters = Array("abcdefghijklmnopqrstuvwxyzюлгелπשמ小王さ김")
        var found = 0
        for number in 0..<4_000 {
            let length = Int.random(in: 1...4, using: &random)
            let input =
                number % 2 == 0
                ? try SearchInput(
                    keys: String((0..<length).map { _ in "23456789".randomElement(using: &random) ?? "2" }))
                : SearchInput(String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" }))
            guard let request = PersonQueryPlan(input).request() else { continue }
            for hit in try index.search(request) {
                let (folded, unfolded) = people[Int(hit.id)]
                let expected = MatchLocation.locations(of: hit, in: folded)
                #expect(
                    MatchLocation.locations(of: hit, in: unfolded) == expected, "\(input): \(Self.names[Int(hit.id)])"
                )
                found += expected.count
            }
        }
        #expect(found > 5_000)
    }
}
