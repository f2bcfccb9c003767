import SwitchboardVCard

extension TextEncoding {
    /// Chooses the encoding of bytes that are not UTF-8 and whose character set no one announced: the first in which all
    /// words have the letters of one language, or else each word has the letters of some language.
    ///
    /// A word of `Łukasz Żółw` is `£ukasz` in Windows-1252, and no language has that letter; `Dvořák` is `Dvoøák`, and no
    /// language has both of these. Where letters do not decide (all of Windows-1251 are letters in Windows-1253), the more
    /// common letters do. Windows-1252 is the answer if no language fits.
    init(likelyOf bytes: [UInt8]) {
        let latin = Self.latin.compactMap { encoding, alphabets in
            encoding.decode(bytes).map { (encoding, alphabets, words: Self.words(of: $0).filter { !$0.isASCII }) }
        }
        let ofOneLanguage = latin.first { _, alphabets, words in
            alphabets.contains { alphabet in words.allSatisfy { Self.isLatin($0, alphabet: alphabet) } }
        }
        let ofSomeLanguages = latin.first { _, alphabets, words in
            words.allSatisfy { word in alphabets.contains { Self.isLatin(word, alphabet: $0) } }
        }
        if let found = ofOneLanguage ?? ofSomeLanguages {
            self = found.0
            return
        }
        var best: (encoding: TextEncoding, score: Double) = (.windows1252, 0)
        for (encoding, score) in Self.others {
            guard let text = encoding.decode(bytes), !text.unicodeScalars.contains(where: Self.isUnlikely) else {
                continue
            }
            let words = Self.words(of: text).filter { !$0.isASCII }
            let scores = words.map(score)
            guard !scores.isEmpty, scores.allSatisfy({ $0 > 0 }) else { continue }
            let mean = scores.reduce(0, +) / Double(scores.count)
            if mean > best.score { best = (encoding, mean) }
        }
        self = best.encoding
    }

    private static func isUnlikely(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: !"\t\r\n".unicodeScalars.contains(scalar)
        case .privateUse, .unassigned: true
        default: false
        }
    }

    /// Returns the words of a text: runs without whitespace and the separators of payloads, without quotation marks around
    /// them.
    private static func words(of text: String) -> [Word] {
        let marks = "‘’“”„‚«»‹›–—…".unicodeScalars
        return text.split { $0.isWhitespace || ",;:.()/-<>\"=@&'+|·・　、。，；：（）「」".contains($0) }.compactMap { word in
            var scalars = Array(word.unicodeScalars)[...]
            while let first = scalars.first, marks.contains(first) { scalars.removeFirst() }
            while let last = scalars.last, marks.contains(last) { scalars.removeLast() }
            return scalars.isEmpty ? nil : Word(scalars: Array(scalars))
        }
    }

    private struct Word {
        let scalars: [Unicode.Scalar]
        var isASCII: Bool { scalars.allSatisfy(\.isASCII) }
        var lowercased: [Unicode.Scalar] {
            scalars.map { scalar in
                let lower = scalar.properties.lowercaseMapping.unicodeScalars
                return lower.count == 1 ? lower[lower.startIndex] : scalar
            }
        }

        /// `true` if capitals are at the beginning, or everywhere.
        var hasNaturalCase: Bool {
            let letters = scalars.filter(\.properties.isAlphabetic)
            return letters.dropFirst().allSatisfy { !$0.properties.isUppercase }
                || letters.allSatisfy { !$0.properties.isLowercase || $0 == "ß" }
        }
    }

    // MARK: - Latin letters

    private static let latin: [(TextEncoding, [String])] = [
        (
            .windows1252,
            [
                // German, French, Spanish, Portuguese, Italian, Catalan, Dutch, the Nordic languages, Icelandic
                "äöüßéèáà", "éèêëàâçîïôûùüÿœæ", "áéíñóúüç", "áâãàçéêíóôõúü", "àèéìíîòóùú", "àçéèíïóòúüñ",
                "éëïöüèáó", "åäöæøéü", "áðéíóúýþæö",
            ]
        ),
        (
            .windows1250,
            [
                // Polish, Czech, Slovak, Hungarian, Croatian, Slovenian, Romanian
                "ąćęłńóśźż", "áčďéěíňóřšťúůýžöü", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ",
            ]
        ),
        (
            .iso8859(part: 2),
            ["ąćęłńóśźż", "áčďéěíňóřšťúůýžöü", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"]
        ),
        // Turkish; Lithuanian, Latvian
        (.windows1254, ["çğıöşüâî"]),
        (.windows1257, ["ąčęėįšųūž", "āčēģīķļņšūž"]),
    ]

    private static func isLatin(_ word: Word, alphabet: String) -> Bool {
        let signs = "€°²³®©™ªº§!¡?¿%*#’–".unicodeScalars
        let foreign = word.lowercased.filter { !$0.isASCII && !signs.contains($0) }
        // No language writes words of nothing but letters with accents.
        let letters = word.scalars.count(where: \.properties.isAlphabetic)
        // Icelandic, which has þ, has none of these: "Yýldýz" is Turkish.
        if alphabet.contains("þ"), word.lowercased.contains(where: "cqwz".unicodeScalars.contains) { return false }
        return foreign.allSatisfy(alphabet.unicodeScalars.contains) && word.hasNaturalCase
            && (letters < 2 || foreign.count < letters)
    }

    // MARK: - Other scripts

    /// A function returns 0 if a word cannot belong to a language, and up to 2 if it is likely to.
    private static let others: [(TextEncoding, @Sendable (Word) -> Double)] = [
        (.shiftJIS, japanese), (.eucKR, korean), (.gb18030, chinese), (.big5, chineseTraditional),
        (.windows1251, cyrillic), (.koi8R, cyrillic), (.iso8859(part: 5), cyrillic), (.windows1253, greek),
        (.iso8859(part: 7), greek), (.windows1255, hebrew), (.windows1256, arabic), (.thai, thai),
    ]

    /// Returns the share of common letters in a word of one alphabet.
    private static func alphabetic(_ word: Word, common: String, rare: String) -> Double {
        guard word.hasNaturalCase else { return 0 }
        var count = 0
        for letter in word.lowercased {
            if common.unicodeScalars.contains(letter) {
                count += 1
            } else if !rare.unicodeScalars.contains(letter), !("0"..."9").contains(letter) {
                return 0
            }
        }
        return 0.2 + Double(count) / Double(word.scalars.count)
    }

    @Sendable private static func cyrillic(_ word: Word) -> Double {
        alphabetic(word, common: "аеиоунтлсврмкдй", rare: "яюьыбгжзпфхцчшщъэёіїєґўђћџљњј№’")
    }

    @Sendable private static func greek(_ word: Word) -> Double {
        alphabetic(word, common: "αειοτνσςρηυάίόή", rare: "έύώπκμλωγδβχθφξζψϊϋΐΰ")
    }

    @Sendable private static func hebrew(_ word: Word) -> Double {
        alphabetic(word, common: "יולאהרמבתנשדכעפ", rare: "חקסגזצטךםןףץ׳״")
    }

    @Sendable private static func arabic(_ word: Word) -> Double {
        alphabetic(word, common: "الميرنحدبعسوهةأ", rare: "تجكفقصشطزخثذضظغءآؤإئىپچژگـ")
    }

    @Sendable private static func thai(_ word: Word) -> Double {
        alphabetic(word, common: "กนรมสวยชพาิีัุ์", rare: "ขคฆงจฉซฌญฎฏฐฑฒณดตถทธบปผฝฟภฤลฦศษหฬอฮฯะำึืฺูเแโใไๅๆ็่้๊๋ํ๎")
    }

    /// Returns the share of common characters in a word without Latin letters. A known family name adds one.
    private static func ideographic(
        _ word: Word, families: String, isCommon: (Unicode.Scalar) -> Bool, isLetter: (Unicode.Scalar) -> Bool
    ) -> Double {
        let letters = word.scalars.filter { !("0"..."9").contains($0) }
        guard letters.allSatisfy(isLetter), let first = letters.first else { return 0 }
        let share = Double(letters.count(where: isCommon)) / Double(letters.count)
        return share + (families.unicodeScalars.contains(first) ? 1 : 0)
    }

    @Sendable private static func japanese(_ word: Word) -> Double {
        let isHalfwidth = word.scalars.allSatisfy { (0xFF61...0xFF9F).contains($0.value) }
        // Single accented letters are half-width katakana in Shift_JIS.
        if isHalfwidth { return word.scalars.count > 1 ? 0.6 : 0 }
        return ideographic(word, families: "佐鈴高田伊渡山中小加吉松井木林清斎池橋阿石前藤後近岡長村坂遠青西福太三大上野原") {
            NameScript.isKana($0) && $0.value < 0xFF00 || isCommon($0, in: .shiftJIS, leads: 0x88...0x97)
        } isLetter: {
            NameScript.isHan($0) || NameScript.isKana($0) && $0.value < 0xFF00
        }
    }

    @Sendable private static func korean(_ word: Word) -> Double {
        ideographic(
            word, families: "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구나민진지엄채원천방공현함변염",
            isCommon: NameScript.isHangul, isLetter: NameScript.isHangul)
    }

    @Sendable private static func chinese(_ word: Word) -> Double {
        ideographic(
            word,
            families:
                "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
        ) {
            isCommon($0, in: .gb18030, leads: 0xB0...0xD7)
        } isLetter: {
            NameScript.isHan($0)
        }
    }

    @Sendable private static func chineseTraditional(_ word: Word) -> Double {
        ideographic(
            word,
            families: "陳林黃張李王吳劉蔡楊許鄭謝洪郭邱曾廖賴徐周葉蘇莊呂江何蕭羅高潘簡朱鍾彭游詹胡施沈余盧梁趙顏柯翁魏孫戴范方宋鄧杜傅侯曹薛丁卓馬董溫唐藍石蔣田康鄒"
        ) {
            isCommon($0, in: .big5, leads: 0xA4...0xC6)
        } isLetter: {
            NameScript.isHan($0)
        }
    }

    /// Returns `true` for a character in the first level of a national standard, which has the common ones.
    private static func isCommon(_ scalar: Unicode.Scalar, in encoding: TextEncoding, leads: ClosedRange<UInt8>) -> Bool
    {
        guard let bytes = encoding.encode(scalar), bytes.count == 2 else { return false }
        return leads.contains(bytes[0]) && (encoding != .gb18030 || bytes[1] >= 0xA1)
    }
}
