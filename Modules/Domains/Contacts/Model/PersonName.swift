import SwitchboardVCard

/// The components of a person's name. Each may be empty.
public struct PersonName: Hashable, Sendable {
    /// The prefixes: "Dr.", "Prof."
    public var prefix: String
    /// The given name.
    public var given: String
    /// Additional given names or a patronymic.
    public var middle: String
    /// The family name including particles: "van der Berg".
    public var family: String
    /// The suffixes: "Jr.", "III", "PhD"
    public var suffix: String
    /// The secondary surname (RFC 9554), also part of ``family``; empty if the card has none.
    public var secondFamily = ""
    /// The generation (RFC 9554), such as "Jr.", also part of ``suffix``; empty if the card has none.
    public var generation = ""

    /// Creates a name from its components.
    public init(prefix: String = "", given: String = "", middle: String = "", family: String = "", suffix: String = "")
    {
        self.prefix = prefix
        self.given = given
        self.middle = middle
        self.family = family
        self.suffix = suffix
    }

    /// `true` if all displayed components are empty.
    public var isEmpty: Bool {
        given.isEmpty && family.isEmpty && middle.isEmpty && prefix.isEmpty && suffix.isEmpty
    }

    /// The number of components that are not empty.
    var componentCount: Int { components.count { !$0.isEmpty } }

    /// The components in the order of a vCard; the last two only if there are any.
    var components: [String] {
        let extended = secondFamily.isEmpty && generation.isEmpty ? [] : [secondFamily, generation]
        return [family, given, middle, prefix, suffix] + extended
    }

    /// The name in the order of its script: "Dr. Carmen Luz Diaz", "山田太郎", "김민준".
    public var composed: String {
        ContactValues.name(prefix: prefix, given: given, middle: middle, family: family, suffix: suffix)
    }
}

// MARK: - Splitting a full name

extension PersonName {
    /// Splits a full name, typed in one field or from a card without components.
    ///
    /// - Commas separate "Family, Given Middle" and "Family, Given, Jr.".
    /// - Prefixes ("Dr.", "Frau") and suffixes ("Jr.", "III", "PhD") are recognized.
    /// - Particles belong to the family name: "Ludwig van Beethoven", "Gabriela de la Cruz", "José Ortega y Gasset",
    ///   "Omar bin Khalid". In Spanish compound given names they belong to the given name: "María del Carmen García".
    /// - A Russian patronymic indicates the order: "Иванов Иван Иванович" has the family name first.
    /// - Chinese, Japanese and Korean names have the family name first, with or without a space.
    /// - A text with digits and no letters, such as a number, becomes the given name.
    /// - Otherwise the last word is the family name and the first the given name. A single word is a given name.
    ///
    /// Hungarian and Vietnamese names, which also start with the family name, are not recognized: "Nagy Anna" has the
    /// given name Nagy. Two Spanish family names cannot be distinguished from a middle name.
    public init(splitting wholeName: String) {
        self.init()
        let scalars = wholeName.unicodeScalars
        if scalars.contains(where: { $0.properties.numericType != nil })
            && !scalars.contains(where: \.properties.isAlphabetic)
        {
            given = PersonName.words(of: wholeName[...]).joined(separator: " ")
            return
        }
        let sections = wholeName.split(separator: ",").map { PersonName.words(of: $0) }.filter { !$0.isEmpty }
        guard var words = sections.first else { return }
        var suffixes: [Substring] = []
        var givenSections = sections.dropFirst()
        // In "John Smith, Jr., PhD", the words after the comma are suffixes, not a given name.
        while let last = givenSections.last, last.allSatisfy({ NameWords.isSuffix($0, afterComma: true) }) {
            suffixes.insert(contentsOf: last, at: 0)
            givenSections = givenSections.dropLast()
        }
        if let givenWords = givenSections.first {
            // "Smith Jr., John"
            suffixes.insert(contentsOf: PersonName.takeSuffixes(from: &words, leaving: 1), at: 0)
            var rest = givenWords + givenSections.dropFirst().joined()
            prefix = PersonName.takePrefixes(from: &rest).joined(separator: " ")
            family = words.joined(separator: " ")
            given = rest.first.map(String.init) ?? ""
            middle = rest.dropFirst().joined(separator: " ")
        } else {
            let eastAsian = words.joined(separator: " ")
            if NameScript.isEastAsian(eastAsian) || eastAsian.contains("・") {
                splitEastAsian(words)
            } else {
                prefix = PersonName.takePrefixes(from: &words).joined(separator: " ")
                suffixes.insert(contentsOf: PersonName.takeSuffixes(from: &words), at: 0)
                splitWords(words)
            }
        }
        suffix = suffixes.joined(separator: " ")
    }

    private static func words(of text: Substring) -> [Substring] {
        text.split(whereSeparator: \.isWhitespace)
    }

    private static func takePrefixes(from words: inout [Substring]) -> [Substring] {
        var prefixes: [Substring] = []
        while words.count > 1, let first = words.first, NameWords.isPrefix(first) {
            prefixes.append(words.removeFirst())
        }
        return prefixes
    }

    /// Leaves at least a given and a family name: "Henry V" has no suffix.
    private static func takeSuffixes(from words: inout [Substring], leaving count: Int = 2) -> [Substring] {
        var suffixes: [Substring] = []
        while words.count > count, let last = words.last, NameWords.isSuffix(last, afterComma: false) {
            suffixes.insert(words.removeLast(), at: 0)
        }
        return suffixes
    }
}

// MARK: - Names of several words

extension PersonName {
    private mutating func splitWords(_ words: [Substring]) {
        guard let first = words.first, let last = words.last else { return }
        guard words.count > 1 else {
            // "Mr. Smith" is a family name, "Anna" a given name.
            if prefix.isEmpty { given = String(first) } else { family = String(first) }
            return
        }
        if words.count == 3, NameWords.isPatronymic(last), !NameWords.isPatronymic(words[1]) {
            (family, given, middle) = (String(first), String(words[1]), String(last))
            return
        }
        let givenCount = NameWords.givenCount(in: words)
        let familyStart = NameWords.familyStart(in: words, after: givenCount)
        let givenWords = words.prefix(familyStart)
        family = words.dropFirst(familyStart).joined(separator: " ")
        given = givenWords.prefix(givenCount).joined(separator: " ")
        middle = givenWords.dropFirst(givenCount).joined(separator: " ")
    }
}

// MARK: - Chinese, Japanese, Korean

extension PersonName {
    private mutating func splitEastAsian(_ words: [Substring]) {
        if words.contains(where: { $0.contains("・") }) {
            // The middle dot separates foreign names, which keep their order.
            let parts = words.flatMap { $0.split(separator: "・") }
            given = parts.first.map(String.init) ?? ""
            family = parts.count > 1 ? parts.last.map(String.init) ?? "" : ""
            middle = parts.dropFirst().dropLast().joined(separator: " ")
        } else if words.count > 1, let first = words.first {
            family = String(first)
            given = words.dropFirst().joined(separator: " ")
        } else if let word = words.first {
            let letters = Array(word)
            let familyLength = NameWords.eastAsianFamilyLength(of: letters)
            family = String(letters.prefix(familyLength))
            given = String(letters.dropFirst(familyLength))
        }
    }
}

// MARK: - Word lists

/// Word lists for splitting names.
///
/// The lists follow the Unicode CLDR person-name guidelines and library cataloging rules (IFLA, *Names of persons*).
/// They are short on purpose: an ambiguous word remains part of the name.
enum NameWords {
    private static let prefixes: Set<String> = [
        "mr", "mrs", "ms", "miss", "mx", "sr", "dr", "prof", "sir", "dame", "lord", "lady", "rev", "fr", "herr", "frau",
        "dipl-ing", "ing", "mag", "mme", "mlle", "monsieur", "madame", "señor", "señora", "sra", "srta", "don", "doña",
        "dott", "dottssa", "sig", "signor", "signora", "dhr", "mevr", "pan", "pani", "г-н", "г-жа", "др", "проф",
        "sayın", "sn", "av", "haji", "hajji", "datuk", "tan sri", "sheikh", "شيخ", "الشيخ", "د", "دكتور",
    ]

    private static let suffixes: Set<String> = [
        "jr", "jnr", "sr", "snr", "ii", "iii", "iv", "phd", "md", "esq", "cpa", "dds", "dvm", "mba", "msc", "bsc", "ba",
        "ma", "rn", "jd", "llm", "obe", "cbe", "mbe", "mp", "qc", "kc", "ret", "júnior", "filho", "neto",
    ]

    // Particles between two other words, in any case.
    private static let particles: Set<String> = [
        "de", "del", "della", "delle", "dello", "dei", "degli", "di", "du", "des", "dos", "das", "van", "von", "vom",
        "der", "zu", "zum", "zur", "ter", "ten", "bin", "ibn", "bint", "binti", "al", "el", "af", "av", "bar", "abu",
        "y", "ben", "la", "le", "los", "las", "بن", "ابن", "بنت", "أبو", "آل", "بت", "בן", "בת", "фон", "де", "ван",
        "עבד",
    ]

    // Words that are often a name or an initial when capitalized.
    private static let lowercaseParticles: Set<String> = [
        "da", "do", "den", "het", "'t", "’t", "te", "op", "in", "d'", "d’", "e", "i", "ben", "la", "le", "av", "y",
        "bar",
    ]

    private static let conjunctions: Set<String> = ["y", "e", "i"]

    // First words of compound given names: "Abd al-Rahman", "عبد الله".
    private static let givenNamePrefixes: Set<String> = ["abd", "abdul", "abdel", "abdal", "عبد"]

    private static func normalized(_ word: Substring) -> String {
        word.lowercased().filter { $0 != "." }
    }

    fileprivate static func isPrefix(_ word: Substring) -> Bool { prefixes.contains(normalized(word)) }

    /// Returns `true` for a suffix. "MA" and "BA" are also names ("Yo-Yo Ma"): they count only after a comma or with
    /// dots.
    fileprivate static func isSuffix(_ word: Substring, afterComma: Bool) -> Bool {
        let normalized = normalized(word)
        guard suffixes.contains(normalized) else { return false }
        if afterComma || normalized.count > 2 || normalized == "jr" || normalized == "sr" { return true }
        return normalized == "ii" || normalized == "iv" || word.contains(".")
    }

    /// Returns the normalized generation suffix, "jr" for "Junior"; nil for any other word.
    static func generation(_ word: Substring) -> String? {
        switch normalized(word) {
        case "jr", "jnr", "junior", "júnior": "jr"
        case "sr", "snr", "senior": "sr"
        case let word where ["ii", "iii", "iv", "filho", "neto"].contains(word): word
        default: nil
        }
    }

    fileprivate static func isPatronymic(_ word: Substring) -> Bool {
        let normalized = normalized(word)
        guard normalized.count > 5 else { return false }
        return ["ович", "евич", "овна", "евна", "ична", "ілович", "івна", "ївна", "йович"].contains {
            normalized.hasSuffix($0)
        }
    }

    private static func isParticle(_ word: Substring) -> Bool {
        let normalized = normalized(word)
        if lowercaseParticles.contains(normalized) { return word.first?.isLowercase ?? false }
        return particles.contains(normalized)
    }

    /// Returns the index of the first word of the family name, at least 1.
    fileprivate static func familyStart(in words: [Substring], after givenCount: Int) -> Int {
        let last = words.count - 1
        var index = givenCount
        while index < last {
            if isParticle(words[index]) {
                // "José Ortega y Gasset": the word before the conjunction belongs to the family name.
                let isConjunction = conjunctions.contains(normalized(words[index]))
                return isConjunction && index > 1 ? index - 1 : max(index, 1)
            }
            index += 1
        }
        return max(last, 1)
    }

    /// Returns the number of words of the first given name: three for "María del Carmen", two for "Abd al-Rahman", else
    /// one.
    fileprivate static func givenCount(in words: [Substring]) -> Int {
        guard let first = words.first, words.count > 2 else { return 1 }
        let head = normalized(first)
        if givenNamePrefixes.contains(head) {
            let hasArticle = words.count > 3 && ["al", "el"].contains(normalized(words[1]))
            return hasArticle ? 3 : 2
        }
        // "María del Carmen García", "Maria da Conceição Silva"
        if ["maría", "maria", "m", "ana", "juan", "josé"].contains(head), words.count > 3 {
            var end = 1
            let articles: Set<String> = ["de", "del", "da", "dos", "das", "la", "las", "los"]
            while end < words.count, articles.contains(normalized(words[end])) { end += 1 }
            // A trailing "de la Cruz" is a family name: a word must remain after the given name.
            if end > 1, end + 1 < words.count, secondGivenNames.contains(normalized(words[end])) { return end + 1 }
        }
        return 1
    }

    private static let secondGivenNames: Set<String> = [
        "carmen", "pilar", "mar", "rosario", "luz", "cruz", "ángeles", "angeles", "dolores", "mercedes", "nieves",
        "rocío", "consuelo", "socorro", "jesús", "dios", "conceição", "graça", "fátima", "lourdes", "paz", "soledad",
        "concepción",
    ]
}

// MARK: - Family names in Chinese, Japanese, Korean

extension NameWords {
    private static let longFamilyNames: Set<String> = [
        // Chinese
        "欧阳", "歐陽", "司马", "司馬", "上官", "诸葛", "諸葛", "东方", "東方", "皇甫", "尉迟", "尉遲", "公孙", "公孫", "令狐", "慕容", "司徒",
        "夏侯", "端木", "南宫", "南宮", "独孤", "獨孤",
        // Korean
        "남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방",
        // Japanese: the most frequent ones in names of three characters
        "佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "渡邊", "山本", "中村", "小林", "加藤", "吉田", "山田", "山口", "松本", "井上", "木村",
        "斎藤", "斉藤", "清水", "山崎", "池田", "橋本", "阿部", "石川", "山下", "中島", "石井", "小川", "前田", "岡田", "藤田", "後藤", "近藤",
        "村上", "遠藤", "青木", "坂本", "福田", "太田", "西村", "藤井", "金子", "岡本", "藤原", "三浦", "中野", "中川", "原田", "松田", "竹内",
        "小野", "田村", "中山", "和田", "石田", "森田", "上田", "内田", "柴田", "酒井", "宮崎", "横山", "高木", "安藤", "宮本", "大野", "小島",
        "工藤", "谷口", "今井", "高田", "増田", "丸山", "杉山", "村田", "大塚", "新井", "小山", "平野", "藤本", "河野", "上野", "野口", "武田",
        "佐々木", "長谷川", "五十嵐", "佐久間", "小笠原",
    ]

    /// Returns the number of characters of the family name in a name without spaces.
    fileprivate static func eastAsianFamilyLength(of letters: [Character]) -> Int {
        guard letters.count > 1 else { return 0 }
        for length in [3, 2] where letters.count > length {
            if longFamilyNames.contains(String(letters.prefix(length))) { return length }
        }
        func isHan(_ character: Character) -> Bool { character.unicodeScalars.first.map(NameScript.isHan) ?? false }
        // Japanese: the script changes at the start of the given name in 山田はなこ.
        let leadingHan = letters.prefix(while: isHan).count
        if leadingHan > 0, leadingHan < letters.count { return leadingHan }
        if leadingHan == 0, letters.first?.unicodeScalars.first.map(NameScript.isKana) ?? false { return 0 }
        // Four characters split in two and two, as in 長野 太郎 or a compound surname. Otherwise the first is the family
        // name.
        return leadingHan >= 4 ? 2 : 1
    }
}
