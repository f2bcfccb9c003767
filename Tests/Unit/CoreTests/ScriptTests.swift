import Testing

@testable import SwitchboardTextNormalization

/// Forms of a character, letters as they are typed, and usual Latin spellings, by script.
@Suite("Scripts")
struct ScriptTests {
    // MARK: - Han

    @Test(
        "The forms of a Han character are one letter",
        arguments: [
            "高髙", "辺邊邉边", "斎齋斉齊斋齐", "陈陳", "国國", "广廣広", "发發髮発髪", "台臺", "崎﨑", "吉𠮷", "沢泽澤", "浜濱滨", "桜櫻樱",
            "関關关", "島岛嶋嶌", "叶葉", "黃黄", "吳吴呉", "恵惠", "真眞", "竜龙龍", "栢柏", "图圖図", "书書", "馆館舘", "渕淵渊", "張张", "劉刘",
            "視视\u{FA61}", "福\u{FA1B}", "丽麗",
        ].map { String($0) })
    func hanForms(group: String) {
        let letters = Set(group.map { words(String($0)) })
        #expect(letters.count == 1, "\(group): \(letters)")
    }

    @Test(
        "Characters that only look alike or share a reading stay apart",
        arguments: ["土士", "己已巳", "未末", "王玉", "柳栃", "林森"])
    func otherHan(group: String) {
        #expect(Set(group.map { words(String($0)) }).count == group.count, "\(group)")
    }

    @Test("A character is read as it is written, not as another form of it")
    func readingOfForms() {
        #expect(spellings("乾隆").map { $0[1] } == ["qian", "long"])
        #expect(spellings("幹").first?[1] == "gan")
        #expect(spellings("后").first?[1] == "hou")
        #expect(spellings("山﨑").map { $0[1] } == ["shan", "qi"])
        #expect(spellings("𠮷田").map { $0[1] } == ["ji", "tian"])
    }

    @Test("Each character is a word with its place in the text", arguments: ["髙橋", "佐々木", "渡邉", "𠮷野"])
    func sources(text: String) {
        let folded = FoldedText(text).words
        #expect(folded.map(\.source) == (0..<text.unicodeScalars.count).map { $0..<$0 + 1 })
        for word in folded {
            for spelling in word.spellings {
                #expect(spelling.source(of: 0..<spelling.letters.count) == word.source)
            }
        }
    }

    @Test(
        "Surnames have their own reading",
        arguments: [
            ("阚清", "kanqing"), ("闞澤", "kanze"), ("佴美", "naimei"), ("繁钦", "poqin"), ("么红", "yaohong"), ("牟其", "muqi"),
            ("牟其", "mouqi"),
            ("蔚青", "yuqing"), ("炅明", "guiming"), ("乾隆", "qianlong"), ("乐正", "yuezheng"), ("单于", "chanyu"),
            ("長孫", "zhangsun"),
            ("尉遲", "yuchi"), ("萬俟", "moqi"), ("区文", "ouwen"), ("仇英", "qiuying"), ("查良", "zhaliang"), ("盖文", "gewen"),
            ("华佗", "huatuo"),
        ])
    func surnames(name: String, pinyin: String) {
        #expect(joinedSpellings(name).contains(pinyin), "\(joinedSpellings(name))")
    }

    // MARK: - Iteration marks

    @Test(
        "An iteration mark is the letter that it repeats",
        arguments: [
            ("みすゞ", "みすず", "misuzu"), ("いすゞ", "いすず", "isuzu"), ("こゝろ", "こころ", "kokoro"), ("スヽム", "ススム", "susumu"),
            ("タヾシ", "タダシ", "tadashi"),
        ])
    func iterationMarks(text: String, other: String, latin: String) {
        #expect(words(text) == words(other))
        #expect(spellings(text).first?.contains(latin) == true, "\(spellings(text))")
    }

    @Test("々 is the character before it, in pinyin too")
    func hanIteration() {
        #expect(words("佐々木") == words("佐佐木"))
        #expect(words("代〻木") == words("代代木"))
        #expect(spellings("佐々木").map { $0[1] } == ["zuo", "zuo", "mu"])
        #expect(spellings("乐々").map { $0.dropFirst().first } == ["yue", "yue"])
        #expect(words("々") == ["々"])
        #expect(words("木 々") == ["木", "々"])
    }

    // MARK: - Hangul

    @Test(
        "A Korean word begins with what an input method shows on the way to it",
        arguments: [
            ("김", "기문"), ("김ㅜ", "기문"), ("기ㅁ", "기문"), ("한", "하늘"), ("달", "닭"), ("고", "과자"), ("우", "원"), ("먹", "머그"),
            ("값", "갑순"),
            ("가ㅂㅅ", "값"), ("의", "의사"), ("으", "의사"), ("읽", "일그러"), ("ㄱ", "김"), ("ㄳ", "ㄱㅅ"),
        ])
    func typedHangul(typed: String, word: String) throws {
        let (typed, word) = try (#require(words(typed).first), #require(words(word).first))
        #expect(word.utf16.starts(with: typed.utf16), "\(word) does not begin with \(typed)")
    }

    @Test(
        "Different syllables remain different",
        arguments: [("각가", "가까"), ("강아", "가아"), ("발가", "밝아"), ("김운", "기문"), ("갂", "각ㄱ")])
    func syllables(one: String, other: String) {
        #expect(words(one) != words(other))
    }

    @Test(
        "A word of several syllables is spelled by its initial consonants",
        arguments: [
            ("카카오톡", "ㅋㅋㅇㅌ"), ("엄마", "ㅇㅁ"), ("기문", "ㄱㅁ"), ("삼성전자", "ㅅㅅㅈㅈ"), ("우리은행", "ㅇㄹㅇㅎ"), ("딸기", "ㄸㄱ"),
            ("장바구니", "ㅈㅂㄱㄴ"),
        ])
    func initials(word: String, consonants: String) throws {
        let typed = try #require(words(consonants).first)
        #expect(spellings(word).first?.contains(typed) == true)
        #expect(spellings(word, transliterating: false).first?.count == 1, "but not in a query")
    }

    @Test("The letters of a syllable map to it")
    func hangulSources() throws {
        let word = try #require(FoldedText("닭과").words.first)
        let own = word.spellings[0]
        #expect(own.letters.count == 7)
        #expect((0..<7).map { own.source(of: $0..<$0 + 1).lowerBound } == [0, 0, 0, 0, 1, 1, 1])
        let initials = word.spellings[1]
        #expect((0..<2).map { initials.source(of: $0..<$0 + 1) } == [0..<1, 1..<2])
    }

    // MARK: - Kana

    @Test(
        "A syllable that an input method has not finished is read in Latin letters",
        arguments: [
            ("さt", "sat"), ("さｔ", "sat"), ("けんj", "kenj"), ("とうky", "toky"), ("とうky", "touky"), ("はしm", "hashim"),
            ("サt", "sat"),
        ])
    func typedKana(typed: String, latin: String) {
        #expect(spellings(typed, transliterating: false).first?.contains(latin) == true)
    }

    @Test("A finished word of kana has no other spelling in a query")
    func finishedKana() {
        #expect(spellings("さとう", transliterating: false) == [["さとう"]])
    }

    // MARK: - Hebrew

    @Test(
        "Gershayim and geresh are typed as quotation marks and apostrophes",
        arguments: [
            ("חב\"ד", "חב״ד"), ("רמב\"ם", "רמב״ם"), ("צה”ל", "צה״ל"), ("חז“ל", "חז״ל"), ("ג'ורג'", "ג׳ורג׳"),
            ("ד\"ר כהן", "ד״ר כהן"),
        ])
    func gershayim(typed: String, written: String) {
        #expect(words(typed) == words(written))
        #expect(FoldedText(typed).words.map(\.source) == FoldedText(written).words.map(\.source))
    }

    @Test("A quotation mark at the end of a Hebrew word, or before other letters, ends it")
    func quotes() {
        #expect(words("\"שלום\" לך") == words("שלום לך"))
        #expect(FoldedText("\"שלום\"").words.map(\.source) == [1..<5])
        #expect(words("שלום\"abc") == ["שלומ", "abc"])
        #expect(FoldedText("שלום\" לך").words.last?.precededByPunctuation == true)
        #expect(FoldedText("שלום\" לך").words.last?.precededBySpace == true)
        #expect(words("5\" TV") == ["5", "tv"])
    }

    // MARK: - Indic scripts

    @Test(
        "A nasal before a consonant of its class is also written as anusvara or candrabindu",
        arguments: [
            ("हिंदी", "हिन्दी"), ("चंद्र", "चन्द्र"), ("गंगा", "गङ्गा"), ("पंडित", "पण्डित"), ("मँगल", "मंगल"), ("अंबा", "अम्बा"), ("पंचम", "पञ्चम"),
            ("গঙ্গা", "গংগা"), ("চাঁদ", "চাংদ"), ("ਸੰਧੂ", "ਸਂਧੂ"), ("ગાંધી", "ગાન્ધી"), ("ಗಂಗಾ", "ಗಙ್ಗಾ"), ("గంగ", "గఙ్గ"), ("അവൻ", "അവന്"),
        ])
    func nasals(one: String, other: String) {
        #expect(words(one) == words(other))
    }

    @Test("Other nasals stay apart", arguments: [("अन्न", "अंन"), ("जन्म", "जंम"), ("हिन", "हिं"), ("मन", "मम")])
    func otherNasals(one: String, other: String) {
        #expect(words(one) != words(other))
    }

    @Test("A nasal at the end of a query may be followed by a consonant of its class", arguments: ["हिन", "हिन्", "हिं"])
    func typedNasals(typed: String) throws {
        let whole = try #require(words("हिन्दी").first)
        #expect(spellings(typed, transliterating: false).first?.contains { whole.utf16.starts(with: $0.utf16) } == true)
    }

    @Test(
        "Names in Devanagari have their usual Latin spellings",
        arguments: [
            ("कृष्ण", ["krishna", "krishan"]), ("ऋषि", ["rishi"]), ("ज्ञान", ["gyan", "jnan"]), ("शर्मा", ["sharma"]),
            ("सिंह", ["singh"]),
            ("लक्ष्मी", ["lakshmi", "laxmi"]), ("विष्णु", ["vishnu"]), ("लक्ष्मण", ["lakshman", "laxman"]), ("गणेश", ["ganesh"]),
            ("पूजा", ["pooja", "puja"]), ("चौधरी", ["choudhary", "chaudhari"]), ("जोशी", ["joshi"]), ("मिश्रा", ["mishra"]),
            ("चौहान", ["chauhan"]),
            ("दीपक", ["deepak", "dipak"]), ("राहुल", ["rahul"]), ("मोहन", ["mohan"]), ("कमला", ["kamla", "kamala"]),
            ("जगदीश", ["jagdish"]),
            ("रामदेव", ["ramdev"]), ("गणपति", ["ganpati", "ganapati"]), ("अमिताभ", ["amitabh"]), ("चन्द्र", ["chandra"]),
            ("आनंद", ["anand"]),
            ("गोविंद", ["govind"]), ("सिद्धार्थ", ["siddhartha", "siddharth"]), ("यादव", ["yadav"]), ("पाण्डेय", ["pandey"]),
            ("तिवारी", ["tiwari", "tivari"]),
            ("मेहता", ["mehta"]), ("कपूर", ["kapoor", "kapur"]), ("मल्होत्रा", ["malhotra"]), ("चोपड़ा", ["chopra"]),
            ("भाटिया", ["bhatia", "bhatiya"]),
            ("गुप्ता", ["gupta"]), ("त्रिवेदी", ["trivedi"]), ("बच्चन", ["bachchan"]), ("प्रियंका", ["priyanka"]), ("संजय", ["sanjay"]),
            ("मंगेशकर", ["mangeshkar"]), ("तेंदुलकर", ["tendulkar"]), ("अंबेडकर", ["ambedkar"]), ("देशमुख", ["deshmukh"]),
            ("कुलकर्णी", ["kulkarni"]),
            ("नरेन्द्र", ["narendra"]), ("विश्वकर्मा", ["vishwakarma", "vishvakarma"]), ("राम", ["ram", "rama", "raam"]),
            ("भट्ट", ["bhatta", "bhatt"]),
        ])
    func devanagari(name: String, latin: [String]) {
        let found = spellings(name).first ?? []
        for spelling in latin { #expect(found.contains(spelling), "\(name): \(spelling) is not in \(found)") }
    }

    @Test(
        "Names in other Indic scripts have their usual Latin spellings",
        arguments: [
            ("রহিম", ["rahim"]), ("চট্টোপাধ্যায়", ["chattopadhyay", "chatterjee"]), ("মুখার্জী", ["mukherjee"]), ("ঘোষ", ["ghosh"]),
            ("অমিত", ["amit"]),
            ("রায়", ["roy", "ray"]), ("সুব্রত", ["subrata"]),
            ("ਗੁਰਪ੍ਰੀਤ", ["gurpreet", "gurprit"]), ("ਸਿੰਘ", ["singh"]), ("ਕੌਰ", ["kaur"]), ("ਮੱਕੜ", ["makkar", "makar"]),
            ("પટેલ", ["patel"]), ("શાહ", ["shah"]), ("કૃષ્ણ", ["krishna"]),
            ("ராமன்", ["raman"]), ("கண்ணன்", ["kannan"]), ("முருகன்", ["murugan"]), ("கிருஷ்ணன்", ["krishnan"]),
            ("தங்கம்", ["thangam"]),
            ("రెడ్డి", ["reddy"]), ("రాజు", ["raju"]), ("శ్రీనివాస్", ["srinivas"]),
            ("ಗೌಡ", ["gowda"]), ("ರಮೇಶ್", ["ramesh"]), ("ಶೋಭಾ", ["shobha"]),
            ("കൃഷ്ണൻ", ["krishnan"]), ("നായർ", ["nair"]), ("മേനോൻ", ["menon"]), ("ലക്ഷ്മി", ["lakshmi"]),
        ])
    func indic(name: String, latin: [String]) {
        let found = spellings(name).first ?? []
        for spelling in latin { #expect(found.contains(spelling), "\(name): \(spelling) is not in \(found)") }
    }

    @Test("Words of a name are romanized by one system")
    func indicTracks() {
        #expect(joinedSpellings("कृष्ण कुमार").contains("krishnakumar"))
        #expect(joinedSpellings("दीपक कपूर").isSuperset(of: ["deepakkapoor", "dipakkapur"]))
    }

    @Test(
        "The spellings of Indic names are limited and map into the word",
        arguments: ["लक्ष्मीनारायण", "বন্দ্যোপাধ্যায়", "கிருஷ்ணமூர்த்தி", "രാധാകൃഷ്ണൻ"])
    func indicSources(name: String) throws {
        let word = try #require(FoldedText(name).words.first)
        #expect(FoldedText(name).words.count == 1)
        #expect(word.spellings.count <= FoldedWord.maximumSpellings)
        for spelling in word.spellings {
            #expect(spelling.source(of: 0..<1).lowerBound == 0)
            for letter in spelling.letters.indices {
                let source = spelling.source(of: letter..<letter + 1)
                #expect(
                    !source.isEmpty && word.source.contains(source.lowerBound)
                        && source.upperBound <= word.source.upperBound)
            }
        }
        var bytes: [UInt8] = []
        FoldedText(name).serialize(into: &bytes)
        #expect(FoldedText(serialized: bytes) == FoldedText(name))
    }

    // MARK: - Signs

    @Test(
        "Signs are found with other variation selectors and skin tones",
        arguments: [
            ("❤", "Mom ❤️", [4..<6]), ("❤️", "❤", [0..<1]), ("➡", "➡️ Weiter", [0..<2]), ("✈️", "✈ Flug", [0..<1]),
            ("👍🏻", "👍🏿 Okan", [0..<2]),
            ("☎️", "☎ Büro", [0..<1]), ("👨‍💻", "Dev 👨🏽‍💻", [4..<8]), ("🐝", "Mom ❤️", nil), ("★", "a★b", [1..<2]),
            ("!!!", "wow!!!", [3..<6]),
        ] as [(String, String, [Range<Int>]?)])
    func signs(typed: String, text: String, ranges: [Range<Int>]?) {
        #expect(SignText(typed)?.ranges(in: text) == ranges)
    }
}
