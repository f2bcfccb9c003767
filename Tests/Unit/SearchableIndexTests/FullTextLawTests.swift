import SwitchboardIncrementalIndex
import SwitchboardTextNormalization
import Testing

@testable import SwitchboardSearchableIndex

/// Sentences with the words by which a person looks for them. A word occurs in no other sentence.
private struct Sentences: CustomTestStringConvertible {
    let testDescription: String
    let texts: [(text: String, words: [String])]
    /// A word of the language that occurs in no sentence.
    let unrelated: String

    init(_ language: String, without unrelated: String, _ texts: [(text: String, words: [String])]) {
        testDescription = language
        self.texts = texts
        self.unrelated = unrelated
    }

    static let all = [
        Sentences(
            "Chinese", without: "飞机",
            [
                ("今天天气很好，我们去公园散步。", ["天气", "公园", "散步", "今天"]),
                ("图书馆的新书要在星期五归还。", ["图书馆", "新书", "星期五", "归还"]),
                ("医生建议每天喝八杯水。", ["医生", "建议", "八杯水", "喝"]), ("火车晚点了四十分钟。", ["火车", "晚点", "分钟"]),
            ]),
        Sentences(
            "Japanese", without: "自転車",
            [
                ("東京都庁で会議をしました。", ["会議", "都庁", "東京"]), ("新しいカメラで花火を撮りたい。", ["カメラ", "花火", "新しい"]),
                ("雨の日は家で本を読みます。", ["雨", "家", "読みます"]), ("祖母の誕生日にケーキを焼いた。", ["誕生日", "ケーキ", "祖母"]),
            ]),
        Sentences(
            "Thai", without: "เครื่องบิน",
            [
                ("วันนี้อากาศดีมากเราจะไปเดินเล่นที่สวนสาธารณะ", ["อากาศ", "เดินเล่น", "สวนสาธารณะ"]),
                ("หมอแนะนำให้ดื่มน้ำวันละแปดแก้ว", ["หมอ", "ดื่มน้ำ", "แปด"]), ("รถไฟมาช้าสี่สิบนาที", ["รถไฟ", "นาที", "สี่สิบ"]),
                ("ห้องสมุดปิดทุกวันศุกร์", ["ห้องสมุด", "วันศุกร์", "ปิด"]),
            ]),
        Sentences(
            "Lao", without: "ຍົນ",
            [
                ("ມື້ນີ້ອາກາດດີຫຼາຍ", ["ອາກາດ", "ມື້ນີ້"]), ("ລົດໄຟມາຊ້າສີ່ສິບນາທີ", ["ລົດໄຟ", "ນາທີ"]),
                ("ຫໍສະໝຸດປິດທຸກວັນສຸກ", ["ຫໍສະໝຸດ", "ວັນສຸກ"]), ("ໝໍແນະນຳໃຫ້ດື່ມນ້ຳ", ["ແນະນຳ", "ດື່ມນ້ຳ"]),
            ]),
        Sentences(
            "Khmer", without: "យន្តហោះ",
            [
                ("ថ្ងៃនេះអាកាសធាតុល្អណាស់", ["អាកាសធាតុ", "ថ្ងៃនេះ"]), ("រថភ្លើងមកយឺតសែសិបនាទី", ["រថភ្លើង", "នាទី"]),
                ("បណ្ណាល័យបិទរៀងរាល់ថ្ងៃសុក្រ", ["បណ្ណាល័យ", "ថ្ងៃសុក្រ"]), ("វេជ្ជបណ្ឌិតណែនាំឱ្យផឹកទឹក", ["វេជ្ជបណ្ឌិត", "ផឹកទឹក"]),
            ]),
        Sentences(
            "Burmese", without: "လေယာဉ်",
            [
                ("ဒီနေ့ရာသီဥတုကောင်းတယ်", ["ရာသီဥတု", "ဒီနေ့"]), ("ရထားမိနစ်လေးဆယ်နောက်ကျတယ်", ["ရထား", "မိနစ်"]),
                ("စာကြည့်တိုက်ကိုသောကြာနေ့မှာပိတ်တယ်", ["စာကြည့်တိုက်", "သောကြာနေ့"]),
                ("ဆရာဝန်ကရေများများသောက်ပါလို့ပြောတယ်", ["ဆရာဝန်", "သောက်ပါ"]),
            ]),
        Sentences(
            "Arabic", without: "طائرة",
            [
                ("ذهبت العائلة إلى الحديقة صباح الجمعة.", ["العائلة", "الحديقة", "صباح", "الجمعه"]),
                ("تأخر القطار أربعين دقيقة.", ["القطار", "دقيقة", "اربعين"]),
                ("نَصٌّ قصير عن تاريخ المدينة.", ["نص", "نَصّ", "تاريخ", "المدينة"]),
                ("يشرب الطبيب القهوة بدون سكر.", ["الطبيب", "القهوة", "سكر"]),
            ]),
        Sentences(
            "Russian", without: "самолёт",
            [
                ("Ёлка стоит в углу большой комнаты.", ["елка", "ЁЛКА", "комнаты", "большой"]),
                ("Поезд опоздал на сорок минут.", ["поезд", "опоздал", "минут"]),
                ("Библиотека закрыта по пятницам.", ["библиотека", "пятницам"]),
                ("Врач советует пить воду каждый день.", ["врач", "воду", "советует"]),
            ]),
        Sentences(
            "Greek", without: "αεροπλάνο",
            [
                ("Ο καιρός είναι καλός σήμερα.", ["καιρος", "σήμερα", "ΣΗΜΕΡΑ"]),
                ("Το τρένο άργησε σαράντα λεπτά.", ["τρένο", "λεπτα"]),
                ("Η βιβλιοθήκη κλείνει την Παρασκευή.", ["βιβλιοθήκη", "παρασκευη"]),
                ("Ο γιατρός πίνει καφέ χωρίς ζάχαρη.", ["γιατρός", "ζαχαρη", "καφέ"]),
            ]),
        Sentences(
            "Hebrew", without: "מטוס",
            [
                ("מזג האוויר יפה היום.", ["האוויר", "היום"]), ("הרכבת איחרה ארבעים דקות.", ["הרכבת", "דקות"]),
                ("הספרייה סגורה בימי שישי.", ["הספרייה", "שישי"]),
                ("הרופא שותה קפה בלי סוכר.", ["הרופא", "קפה", "סוכר"]),
            ]),
        Sentences(
            "Hindi", without: "हवाई",
            [
                ("आज मौसम बहुत अच्छा है।", ["मौसम", "अच्छा"]), ("रेलगाड़ी चालीस मिनट देर से आई।", ["रेलगाड़ी", "मिनट", "चालीस"]),
                ("पुस्तकालय शुक्रवार को बंद रहता है।", ["पुस्तकालय", "शुक्रवार", "बंद"]),
                ("डॉक्टर ने पानी पीने की सलाह दी।", ["डॉक्टर", "पानी", "सलाह"]),
            ]),
        Sentences(
            "Vietnamese", without: "máy bay",
            [
                ("Hôm nay thời tiết rất đẹp.", ["thời tiết", "thoi tiet", "đẹp", "dep"]),
                ("Tàu hỏa đến muộn bốn mươi phút.", ["tàu hỏa", "phút", "muon"]),
                ("Thư viện đóng cửa vào thứ sáu.", ["thư viện", "thu vien", "đóng cửa"]),
                ("Bác sĩ khuyên uống nhiều nước.", ["bác sĩ", "uong", "nước"]),
            ]),
        Sentences(
            "Polish", without: "samolot",
            [
                ("Łódź leży w środkowej Polsce.", ["lodz", "Łódź", "polsce", "leży"]),
                ("Pociąg spóźnił się czterdzieści minut.", ["pociag", "spoznil", "czterdzieści"]),
                ("Biblioteka jest zamknięta w piątki.", ["zamknieta", "piątki"]),
                ("Żółw pije wodę bez cukru.", ["zolw", "ŻÓŁW", "wode", "cukru"]),
            ]),
        Sentences(
            "German", without: "Flugzeug",
            [
                ("Die Straße zum Bahnhof ist gesperrt.", ["strasse", "Straße", "STRASSE", "bahnhof"]),
                ("Der Zug hatte vierzig Minuten Verspätung.", ["verspätung", "verspaetung", "verspatung"]),
                ("Die Bücherei öffnet erst am Dienstag.", ["buecherei", "bucherei", "Bücherei", "dienstag"]),
                ("Das Gemuese schmeckt köstlich.", ["Gemüse", "gemuese", "koestlich"]),
            ]),
        Sentences(
            "French", without: "avion",
            [
                ("Son œuvre est exposée à Genève.", ["oeuvre", "œuvre", "geneve", "exposée"]),
                ("Le train avait quarante minutes de retard.", ["retard", "quarante"]),
                ("La bibliothèque ferme le vendredi.", ["bibliothèque", "vendredi"]),
                ("L’élève lit un rapport ﬁnancier.", ["eleve", "élève", "financier", "rapport"]),
            ]),
    ]
}

@Suite("Full texts of every script")
struct FullTextLawTests {
    /// Each text consists of two sentences of one language. Long texts have words between them, so that a snippet
    /// shows only a part.
    @Test("Each word finds exactly the texts with it, and its snippet shows it", arguments: [0, 60])
    func law(_ filler: Int) throws {
        let test = try TestIndex()
        var texts: [(language: Int, first: Int, second: Int, text: String)] = []
        for (language, sentences) in Sentences.all.enumerated() {
            let count = sentences.texts.count
            for first in 0..<count {
                for second in 0..<count where second != first {
                    let gap = " " + String(repeating: "12345, ", count: filler)
                    let parts = [first, second].map { sentences.texts[$0].text }
                    texts.append((language, first, second, parts.joined(separator: second == 0 ? gap + "\n" : gap)))
                }
            }
        }
        try test.index.put(
            texts.enumerated().map { number, text in
                var set = SearchableItemAttributeSet()
                set.textContent = text.text
                return SearchableItem(uniqueIdentifier: "\(number)", attributeSet: set)
            })
        let search = test.search()
        func found(_ word: String) throws -> [Int: ItemHit] {
            let hits = try search.search(word, limit: 0).hits
            return Dictionary(hits.map { (Int($0.item.uniqueIdentifier) ?? -1, $0) }) { one, _ in one }
        }
        for (language, sentences) in Sentences.all.enumerated() {
            #expect(try found(sentences.unrelated).isEmpty, "\(sentences.unrelated)")
            for (sentence, text) in sentences.texts.enumerated() {
                for word in text.words {
                    let hits = try found(word)
                    let expected = texts.indices.filter {
                        texts[$0].language == language && [texts[$0].first, texts[$0].second].contains(sentence)
                    }
                    #expect(hits.keys.sorted() == expected, "\(word)")
                    for (number, hit) in hits {
                        check(try #require(hit.snippet), of: texts[number].text, for: word)
                    }
                }
            }
        }
    }

    /// Checks that a snippet is a part of the text in one line, and that what it highlights begins with the words.
    private func check(_ snippet: Snippet, of text: String, for query: String) {
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" ? " " : $0 }))
        var shown = snippet.text.unicodeScalars[...]
        if shown.first == "…" { shown.removeFirst() }
        if shown.last == "…" { shown.removeLast() }
        #expect(line.unicodeScalars.firstRange(of: shown) != nil, "\(query): \(snippet.text)")
        let scalars = Array(snippet.text.unicodeScalars)
        #expect(scalars.count <= Snippet.length + 2)
        let marked = snippet.highlights.map { String(String.UnicodeScalarView(scalars[$0])) }
        let wanted = spellings(query)
        #expect(
            !marked.isEmpty
                && marked.allSatisfy { part in
                    spellings(part).contains { part in wanted.contains { part.starts(with: $0) } }
                },
            "\(query): \(marked)")
    }

    /// Returns the spellings of each word of a text, and of all words together.
    private func spellings(_ text: String) -> [[UInt16]] {
        let words = FoldedText(text, transliterating: false).words
        return words.flatMap { $0.spellings.map(\.letters) } + [words.flatMap { $0.spellings[0].letters }]
    }
}
