/// Romanizes kana: Hepburn with long vowels shortened (tokyo), written out (toukyou) or with the h of passports (ohno),
/// and Kunrei (si, tu, sya).
enum Kana {
    private static let table = RomanizationTable(
        """
        あ=a い=i う=u え=e お=o か=ka き=ki く=ku け=ke こ=ko さ=sa し=2:shi/si す=su せ=se そ=so
        た=ta ち=2:chi/ti つ=2:tsu/tu て=te と=to な=na に=ni ぬ=nu ね=ne の=no は=ha ひ=hi ふ=2:fu/hu へ=he ほ=ho
        ま=ma み=mi む=mu め=me も=mo や=ya ゆ=yu よ=yo ら=ra り=ri る=ru れ=re ろ=ro わ=wa ゐ=i ゑ=e を=3:o/wo
        が=ga ぎ=gi ぐ=gu げ=ge ご=go ざ=za じ=2:ji/zi ず=zu ぜ=ze ぞ=zo だ=da ぢ=2:ji/di づ=2:zu/du で=de ど=do
        ば=ba び=bi ぶ=bu べ=be ぼ=bo ぱ=pa ぴ=pi ぷ=pu ぺ=pe ぽ=po ゔ=5:vu/bu
        ぁ=a ぃ=i ぅ=u ぇ=e ぉ=o ゃ=ya ゅ=yu ょ=yo ゎ=wa ゕ=ka ゖ=ke
        きゃ=kya きゅ=kyu きょ=kyo ぎゃ=gya ぎゅ=gyu ぎょ=gyo しゃ=2:sha/sya しゅ=2:shu/syu しょ=2:sho/syo しぇ=she
        じゃ=2:ja/zya じゅ=2:ju/zyu じょ=2:jo/zyo じぇ=je ちゃ=2:cha/tya ちゅ=2:chu/tyu ちょ=2:cho/tyo ちぇ=che
        にゃ=nya にゅ=nyu にょ=nyo ひゃ=hya ひゅ=hyu ひょ=hyo びゃ=bya びゅ=byu びょ=byo ぴゃ=pya ぴゅ=pyu ぴょ=pyo
        みゃ=mya みゅ=myu みょ=myo りゃ=rya りゅ=ryu りょ=ryo
        ふぁ=fa ふぃ=fi ふぇ=fe ふぉ=fo ふゅ=fyu うぃ=wi うぇ=we うぉ=wo てぃ=ti でぃ=di とぅ=tu どぅ=du でゅ=dyu
        つぁ=tsa つぃ=tsi つぇ=tse つぉ=tso ゔぁ=5:va/ba ゔぃ=5:vi/bi ゔぇ=5:ve/be ゔぉ=5:vo/bo いぇ=ye くぁ=kwa ぐぁ=gwa
        """)

    /// Features: 1 long vowels, 2 Kunrei, 3 を, 4 ん before b, m, p, 5 v, 6 っち.
    private static let romanizer = Romanizer(
        systems: [[0], [0, 1], [0, 2, 0, 0, 1], [0, 1, 1]], variableFeatures: [1, 2, 3, 4, 5, 6])

    /// Returns the Latin spellings of a segment by track, best first.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(voiced)
        var units: [RomanizationUnit] = []
        var index = 0
        while index < letters.count {
            let unit = unit(at: index, letters, after: units.last)
            units.append(unit)
            index = max(unit.range.upperBound, index + 1)
        }
        return romanizer.spellings(units, of: clusters)
    }

    private static func unit(at index: Int, _ letters: [UInt32], after previous: RomanizationUnit?) -> RomanizationUnit
    {
        let vowel = previous?.options.first?.last
        let here = index..<index + 1
        switch letters[index] {
        case 0x30FC:  // ー
            let repeated = vowel.map { ASCIILetters(letter: $0) } ?? ""
            return RomanizationUnit(range: here, feature: 1, options: ["", repeated, vowel == o ? "h" : ""])
        case 0x3046 where vowel == o || vowel == u:
            // おう, うう; before a small vowel, a new syllable
            if index + 1 < letters.count, letters[index + 1] >= 0x3041, letters[index + 1] <= 0x3049,
                letters[index + 1] & 1 == 1
            {
                break
            }
            return RomanizationUnit(range: here, feature: 1, options: ["", "u", vowel == o ? "h" : ""])
        case 0x304A where vowel == o:  // おお
            return RomanizationUnit(range: here, feature: 1, options: ["", "o", "h"])
        case 0x3093:  // ん
            let next = index + 1 < letters.count ? table.unit(at: index + 1, in: letters).options.first?.first : nil
            let isBeforeLips = next == 0x62 || next == 0x6D || next == 0x70
            return RomanizationUnit(range: here, feature: 4, options: isBeforeLips ? ["n", "m"] : ["n"])
        case 0x3063:  // っ
            guard index + 1 < letters.count else { return RomanizationUnit(range: here, feature: 0, options: [""]) }
            let next = table.unit(at: index + 1, in: letters).options.first
            guard let first = next?.first, first < 0x80, ![a, i, u, e, o].contains(first) else {
                return RomanizationUnit(range: here, feature: 0, options: [""])
            }
            return RomanizationUnit(
                range: here, feature: 6, options: first == 0x63 ? ["t", "c"] : [ASCIILetters(letter: first)])
        default:
            break
        }
        return table.unit(at: index, in: letters)
    }

    private static let a: UInt16 = 0x61, e: UInt16 = 0x65, i: UInt16 = 0x69, o: UInt16 = 0x6F, u: UInt16 = 0x75

    /// Returns the kana composed with its voicing mark.
    private static func voiced(_ cluster: LetterCluster) -> UInt32 {
        switch (cluster.base, cluster.mark) {
        case (0x3046, 0x3099): 0x3094  // ゔ
        case (0x304B...0x3061, 0x3099) where cluster.base & 1 == 1: cluster.base + 1
        case (0x3064...0x3068, 0x3099) where cluster.base & 1 == 0: cluster.base + 1
        case (0x306F...0x307B, 0x3099): cluster.base + 1
        case (0x306F...0x307B, 0x309A): cluster.base + 2
        default: cluster.base
        }
    }
}
