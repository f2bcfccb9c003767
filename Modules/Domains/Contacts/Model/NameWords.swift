/// The words that tell the parts of a name.
///
/// Collected from the naming customs that the Unicode CLDR person-name guidelines and library cataloguing rules (IFLA,
/// *Names of persons*) describe; the lists are short on purpose, a doubtful word is left a name.
enum NameWords {
    private static let prefixes: Set<String> = [
        "mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sir", "dame", "lord", "lady", "rev", "fr", "herr", "frau",
        "dipl-ing",
        "ing", "mag", "mme", "mlle", "monsieur", "madame", "señor", "señora", "sra", "srta", "don", "doña", "dott",
        "dottssa", "sig", "signor", "signora", "dhr", "mevr", "pan", "pani", "г-н", "г-жа", "др", "проф", "sayın", "sn",
        "av", "haji", "hajji", "datuk", "tan sri", "sheikh", "شيخ", "الشيخ", "د", "دكتور",
    ]

    private static let suffixes: Set<String> = [
        "jr", "jnr", "sr", "snr", "ii", "iii", "iv", "phd", "md", "esq", "cpa", "dds", "dvm", "mba", "msc", "bsc", "ba",
        "ma",
        "rn", "jd", "llm", "obe", "cbe", "mbe", "mp", "qc", "kc", "ret", "júnior", "filho", "neto",
    ]

    // Words that are a particle wherever they stand between two others, in any case.
    private static let particles: Set<String> = [
        "de", "del", "della", "delle", "dello", "dei", "degli", "di", "du", "des", "dos", "das", "van", "von", "vom",
        "der",
        "zu", "zum", "zur", "ter", "ten", "bin", "ibn", "bint", "binti", "al", "el", "af", "av", "bar", "abu", "y",
        "ben",
        "la", "le", "los", "las", "بن", "ابن", "بنت", "أبو", "آل", "بت", "בן", "בת", "фон", "де", "ван", "עבד",
    ]

    // Words that are as often a name or an initial when capitalised.
    private static let particlesInSmallLetters: Set<String> = [
        "da", "do", "den", "het", "'t", "’t", "te", "op", "in", "d'", "d’", "e", "i", "ben", "la", "le", "av", "y",
        "bar",
    ]

    private static let conjunctions: Set<String> = ["y", "e", "i"]

    // The given name goes on: "Abd al-Rahman", "عبد الله".
    private static let givenBeginnings: Set<String> = ["abd", "abdul", "abdel", "abdal", "عبد"]

    private static func plain(_ word: Substring) -> String {
        word.lowercased().filter { $0 != "." }
    }

    static func isPrefix(_ word: Substring) -> Bool { prefixes.contains(plain(word)) }

    /// "MA" and "BA" are names, too ("Yo-Yo Ma"): they count only after a comma or in capitals with dots.
    static func isSuffix(_ word: Substring, afterComma: Bool) -> Bool {
        let plain = plain(word)
        guard suffixes.contains(plain) else { return false }
        if afterComma || plain.count > 2 || plain == "jr" || plain == "sr" { return true }
        return plain == "ii" || plain == "iv" || word.contains(".")
    }

    static func isPatronymic(_ word: Substring) -> Bool {
        let plain = plain(word)
        guard plain.count > 5 else { return false }
        return ["ович", "евич", "овна", "евна", "ична", "ілович", "івна", "ївна", "йович"].contains {
            plain.hasSuffix($0)
        }
    }

    private static func isParticle(_ word: Substring) -> Bool {
        let plain = plain(word)
        if particlesInSmallLetters.contains(plain) { return word.first?.isLowercase ?? false }
        return particles.contains(plain)
    }

    /// The index of the first word of the family name, 1 or more.
    static func familyStart(in words: [Substring], after givenCount: Int) -> Int {
        let last = words.count - 1
        var index = givenCount
        while index < last {
            if isParticle(words[index]) {
                // "José Ortega y Gasset": the word before the conjunction belongs to the family name.
                let isConjunction = conjunctions.contains(plain(words[index]))
                return isConjunction && index > 1 ? index - 1 : max(index, 1)
            }
            index += 1
        }
        return max(last, 1)
    }

    /// How many words the first given name has: "María del Carmen" has three, "Abd al-Rahman" two, others one.
    static func givenCount(in words: [Substring]) -> Int {
        guard let first = words.first, words.count > 2 else { return 1 }
        let head = plain(first)
        if givenBeginnings.contains(head) {
            let hasArticle = words.count > 3 && ["al", "el"].contains(plain(words[1]))
            return hasArticle ? 3 : 2
        }
        // "María del Carmen García", "Maria da Conceição Silva"
        if ["maría", "maria", "m", "ana", "juan", "josé"].contains(head), words.count > 3 {
            var end = 1
            let articles: Set<String> = ["de", "del", "da", "dos", "das", "la", "las", "los"]
            while end < words.count, articles.contains(plain(words[end])) { end += 1 }
            // "de la Cruz" at the end is a family name: a word must remain after the given one.
            if end > 1, end + 1 < words.count, secondGivenNames.contains(plain(words[end])) { return end + 1 }
        }
        return 1
    }

    private static let secondGivenNames: Set<String> = [
        "carmen", "pilar", "mar", "rosario", "luz", "cruz", "ángeles", "angeles", "dolores", "mercedes", "nieves",
        "rocío",
        "consuelo", "socorro", "jesús", "dios", "conceição", "graça", "fátima", "lourdes", "paz", "soledad",
        "concepción",
    ]
}

// MARK: - Chinese, Japanese, Korean

extension NameWords {
    private static let longFamilyNames: Set<String> = [
        // Chinese
        "欧阳", "歐陽", "司马", "司馬", "上官", "诸葛", "諸葛", "东方", "東方", "皇甫", "尉迟", "尉遲", "公孙", "公孫", "令狐", "慕容", "司徒",
        "夏侯", "端木", "南宫", "南宮", "独孤", "獨孤",
        // Korean
        "남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방",
        // Japanese: those met most often in names of three characters
        "佐藤", "鈴木", "高橋", "田中", "伊藤", "渡辺", "渡邊", "山本", "中村", "小林", "加藤", "吉田", "山田", "山口", "松本", "井上", "木村",
        "斎藤", "斉藤", "清水", "山崎", "池田", "橋本", "阿部", "石川", "山下", "中島", "石井", "小川", "前田", "岡田", "藤田", "後藤", "近藤",
        "村上", "遠藤", "青木", "坂本", "福田", "太田", "西村", "藤井", "金子", "岡本", "藤原", "三浦", "中野", "中川", "原田", "松田", "竹内",
        "小野", "田村", "中山", "和田", "石田", "森田", "上田", "内田", "柴田", "酒井", "宮崎", "横山", "高木", "安藤", "宮本", "大野", "小島",
        "工藤", "谷口", "今井", "高田", "増田", "丸山", "杉山", "村田", "大塚", "新井", "小山", "平野", "藤本", "河野", "上野", "野口", "武田",
        "佐々木", "長谷川", "五十嵐", "佐久間", "小笠原",
    ]

    /// How many characters the family name has in a name written without a space.
    static func eastAsianFamilyLength(of letters: [Character]) -> Int {
        guard letters.count > 1 else { return 0 }
        for length in [3, 2] where letters.count > length {
            if longFamilyNames.contains(String(letters.prefix(length))) { return length }
        }
        func isHan(_ character: Character) -> Bool { character.unicodeScalars.first.map(Script.isHan) ?? false }
        // Japanese: 山田はなこ changes its script where the given name begins.
        let leadingHan = letters.prefix(while: isHan).count
        if leadingHan > 0, leadingHan < letters.count { return leadingHan }
        if leadingHan == 0, letters.first?.unicodeScalars.first.map(Script.isKana) ?? false { return 0 }
        // Four characters are two and two, be it 長野 太郎 or a double surname; else the first is the family name.
        return leadingHan >= 4 ? 2 : 1
    }
}
