/// Hangul written in Latin letters: the Revised Romanization of 2000, syllable by syllable, and as people write their
/// names.
///
/// The systems are: the surname as people write it and the rest revised (Kim Minsu), all revised (gim minsu), usual
/// spellings in the English manner (Kim Hyun-soo), those with k for ㄱ, and McCune–Reischauer without its marks.
enum Hangul {
    private static let initials = split("g kk n d tt r m b pp s ss - j jj ch k t p h")
    private static let vowels = split("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
    private static let finals = split("- k k k n n n t l k m l l l p l m p p t t ng t t k t p t")
    private static let linked = split("- g kk ks n nj n d r lg lm lb ls lt lp r m b ps s ss ng j ch k t p -")

    private static func split(_ text: String) -> [RomanText] {
        text.split(separator: " ").map { $0 == "-" ? "" : RomanText($0) }
    }

    private static let romanizer = Romanizer(
        systems: [
            [0],
            [0, 255],
            [0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 2, 3, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1],
        ],
        freeFeatures: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16])

    /// A syllable of a run, or a lone letter.
    private struct Syllable {
        var range: Range<Int>
        var initial = 0
        var vowel = 0
        var final = 0
        var lone: UInt32 = 0
        var scalar: UInt32 { lone != 0 ? lone : 0xAC00 + UInt32(initial * 588 + vowel * 28 + final) }
    }

    private static func syllables(of clusters: ArraySlice<LetterCluster>) -> [Syllable] {
        let letters = clusters.map(\.base)
        var result: [Syllable] = []
        var index = 0
        while index < letters.count {
            guard (0x1100...0x1112).contains(letters[index]), index + 1 < letters.count,
                (0x1161...0x1175).contains(letters[index + 1])
            else {
                result.append(Syllable(range: index..<index + 1, lone: letters[index]))
                index += 1
                continue
            }
            let hasFinal = index + 2 < letters.count && (0x11A8...0x11C2).contains(letters[index + 2])
            let end = index + (hasFinal ? 3 : 2)
            result.append(
                Syllable(
                    range: index..<end, initial: Int(letters[index] - 0x1100), vowel: Int(letters[index + 1] - 0x1161),
                    final: hasFinal ? Int(letters[index + 2] - 0x11A7) : 0))
            index = end
        }
        return result
    }

    /// The parts of a Korean name written without spaces, or `nil` if the word does not look like one: a surname of
    /// one syllable and two more, or one of two syllables and two more.
    static func nameSyllables(_ clusters: [LetterCluster]) -> [ArraySlice<LetterCluster>]? {
        guard clusters.count <= 12 else { return nil }
        let syllables = syllables(of: clusters[...])
        guard syllables.allSatisfy({ $0.lone == 0 }), let first = syllables.first else { return nil }
        if syllables.count == 3, KoreanSurnames.single[first.scalar] != nil {
            return syllables.map { clusters[$0.range] }
        }
        if syllables.count == 4, KoreanSurnames.double[[first.scalar, syllables[1].scalar]] != nil {
            return [clusters[0..<syllables[1].range.upperBound]] + syllables[2...].map { clusters[$0.range] }
        }
        return nil
    }

    /// The Latin spellings of a run, best first by track.
    ///
    /// - Parameter startsName: Whether the first syllable may be a surname.
    static func romanize(_ clusters: ArraySlice<LetterCluster>, startsName: Bool) -> [Romanized] {
        let syllables = syllables(of: clusters)
        var result: [Romanized] = []
        if startsName, let surname = surname(syllables) {
            result = romanizer.spellings(units(syllables, startingWith: surname), of: clusters)
            // A word of one or two syllables after a surname's may as well be none: 신라, 부산.
            guard surname.range.count < clusters.count else { return result }
        }
        for spelling in romanizer.spellings(units(syllables, startingWith: nil), of: clusters) {
            guard result.count < FoldedWord.maximumSpellings - 2 else { break }
            if !result.contains(where: { $0.letters == spelling.letters }) { result.append(spelling) }
        }
        return result.count > 1 ? result + result.prefix(1) : result
    }

    /// The surname at the beginning of a run of up to two syllables, or four with a surname of two.
    private static func surname(_ syllables: [Syllable]) -> RomanUnit? {
        guard let first = syllables.first, syllables.count <= 4 else { return nil }
        if syllables.count > 1, let options = KoreanSurnames.double[[first.scalar, syllables[1].scalar]] {
            return RomanUnit(range: 0..<syllables[1].range.upperBound, feature: 1, options: options)
        }
        guard syllables.count <= 2, let options = KoreanSurnames.single[first.scalar] else { return nil }
        return RomanUnit(range: first.range, feature: 1, options: options)
    }

    private static func units(_ syllables: [Syllable], startingWith surname: RomanUnit?) -> [RomanUnit] {
        var units = surname.map { [$0] } ?? []
        for (index, syllable) in syllables.enumerated() {
            if let surname, syllable.range.lowerBound < surname.range.upperBound { continue }
            let previous = index > 0 && units.last?.feature != 1 ? syllables[index - 1] : nil
            let next = index + 1 < syllables.count ? syllables[index + 1] : nil
            append(syllable, after: previous, before: next, to: &units)
        }
        return units
    }

    private static func append(
        _ syllable: Syllable, after previous: Syllable?, before next: Syllable?, to units: inout [RomanUnit]
    ) {
        let start = syllable.range.lowerBound
        guard syllable.lone == 0 else {
            units.append(RomanUnit(range: syllable.range, feature: 0, options: [loneLetter(syllable.lone)]))
            return
        }
        units.append(initialUnit(syllable, after: previous, at: start))
        units.append(vowelUnit(syllable, at: start + 1))
        guard syllable.final > 0 else { return }
        units.append(finalUnit(syllable.final, before: next, at: start + 2))
    }

    private static func initialUnit(_ syllable: Syllable, after previous: Syllable?, at index: Int) -> RomanUnit {
        let usual = initials[syllable.initial]
        let range = index..<index + 1
        if let previous, previous.lone == 0, previous.final > 0 {
            let end = finals[previous.final]
            switch (end, syllable.initial) {
            case ("l", 2), ("l", 5), ("n", 5):
                return RomanUnit(range: range, feature: 11, options: ["l", usual])
            case (_, 5):
                return RomanUnit(range: range, feature: 11, options: ["n", usual])
            default: break
            }
        }
        switch syllable.initial {
        case 0: return RomanUnit(range: range, feature: 7, options: [usual, "k"])
        case 3: return RomanUnit(range: range, feature: 8, options: [usual, "t"])
        case 7: return RomanUnit(range: range, feature: 9, options: [usual, "p"])
        case 9 where syllable.vowel == 20: return RomanUnit(range: range, feature: 16, options: [usual, "sh"])
        case 12: return RomanUnit(range: range, feature: 10, options: [usual, "ch"])
        default: return RomanUnit(range: range, feature: 0, options: [usual])
        }
    }

    private static func vowelUnit(_ syllable: Syllable, at index: Int) -> RomanUnit {
        let range = index..<index + 1
        let isBare = syllable.initial == 11
        let (feature, options): (Int, String) =
            switch syllable.vowel {
            case 4: (2, "eo u o")
            case 6: (3, isBare ? "yeo you yu yo" : "yeo yu you yo")
            case 13: (4, isBare ? "u woo wu" : "u oo")
            case 17: (4, "yu yoo")
            case 18: (5, "eu u")
            case 19: (6, isBare ? "ui eui" : "ui ee eui")
            case 20: (12, isBare ? "i yi" : "i ee")
            default: (0, "")
            }
        return RomanUnit(
            range: range, feature: feature, options: options.isEmpty ? [vowels[syllable.vowel]] : split(options))
    }

    private static func finalUnit(_ final: Int, before next: Syllable?, at index: Int) -> RomanUnit {
        let usual = finals[final]
        let range = index..<index + 1
        guard let next, next.lone == 0 else { return RomanUnit(range: range, feature: 0, options: [usual]) }
        var changed = usual
        switch (next.initial, usual) {
        case (11, _): changed = linked[final]
        case (2, "k"), (6, "k"), (5, "k"): changed = "ng"
        case (2, "t"), (6, "t"): changed = "n"
        case (2, "p"), (6, "p"), (5, "p"): changed = "m"
        case (5, "n"): changed = "l"
        default: break
        }
        return RomanUnit(range: range, feature: 11, options: changed == usual ? [usual] : [changed, usual])
    }

    private static func loneLetter(_ scalar: UInt32) -> RomanText {
        switch scalar {
        case 0x1100...0x1112: initials[Int(scalar - 0x1100)]
        case 0x1161...0x1175: vowels[Int(scalar - 0x1161)]
        case 0x11A8...0x11C2: finals[Int(scalar - 0x11A7)]
        default: ""
        }
    }
}

/// Korean surnames as their bearers write them, the most usual first, the revised romanization last.
///
/// Usual spellings after the counts of passports that the National Institute of Korean Language published, as far as
/// remembered, and common knowledge.
enum KoreanSurnames {
    /// By syllable.
    static let single: [UInt32: [RomanText]] = {
        var result: [UInt32: [RomanText]] = [:]
        for (name, spellings) in entries {
            if name.count == 1 { result[name[0]] = spellings }
        }
        return result
    }()

    /// By two syllables.
    static let double: [[UInt32]: [RomanText]] = {
        var result: [[UInt32]: [RomanText]] = [:]
        for (name, spellings) in entries where name.count == 2 { result[name] = spellings }
        return result
    }()

    private static var entries: [(name: [UInt32], spellings: [RomanText])] {
        list.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { entry in
            let sides = entry.split(separator: ":")
            return (
                sides.first?.unicodeScalars.map(\.value) ?? [],
                sides.last?.split(separator: "/").map { RomanText($0) } ?? []
            )
        }
    }

    private static let list = """
        김:kim/gim 이:lee/yi/rhee/ri/i 박:park/pak/bak 최:choi/choe 정:jung/jeong/chung/jong/cheong/jeong
        강:kang/gang 조:cho/jo 윤:yoon/yun/youn/yun 장:jang/chang/jang 임:lim/rim/yim/im 한:han/hahn/han 오:oh/o
        서:seo/suh/so/seo 신:shin/sin 권:kwon/gwon 황:hwang 안:ahn/an 송:song 류:ryu/yoo/ryoo/ryu 유:yoo/yu/you/ryu/yu
        홍:hong 전:jeon/jun/chun/chon/jeon 고:ko/koh/go 문:moon/mun 양:yang 손:son/sohn/son 배:bae/pae/bae
        백:baek/paik/back/paek/baek 허:heo/hur/huh/her/heo 남:nam 심:shim/sim 노:noh/roh/no/ro/no 하:ha
        곽:kwak/gwak 성:sung/seong/song/seong 차:cha 주:joo/ju/chu/ju 우:woo/wu/u 구:koo/ku/goo/gu 민:min 나:na/ra/nah/na
        진:jin/chin/jin 지:ji/chi/ji 엄:um/eom/uhm/eom 채:chae 원:won 천:chun/cheon/chon/cheon 방:bang/pang/bang
        공:kong/gong 현:hyun/hyeon 함:ham/hahm/ham 변:byun/byeon/byon/byeon 염:yum/yeom/yom/yeom 여:yeo/yuh/yeo
        추:choo/chu 도:do/doh/do 소:so/soh/so 석:suk/seok/sok/seok 선:sun/seon 설:sul/seol 마:ma 길:gil/kil/gil
        연:yeon/yun/youn/yeon 위:wi/wee/wi 표:pyo 명:myung/myeong/myong/myeong 기:ki/gi 반:ban/bahn/ban 왕:wang
        금:keum/kum/geum 옥:ok/ock/ok 육:yook/yuk 인:in 맹:maeng 제:je/jae/je 모:mo/moh/mo 탁:tak 국:kook/kuk/guk
        어:uh/eo/euh/eo 은:eun 편:pyun/pyeon 용:yong 봉:bong 사:sa 부:boo/bu 계:kye/gye 피:pi 두:doo/du 감:kam/gam
        음:eum 동:dong/tong/dong 온:on 경:kyung/gyeong 호:ho 범:bum/beom 좌:jwa 팽:paeng 승:seung 간:kan/gan
        복:bok/pok/bok 태:tae 갈:kal/gal 단:dan 당:dang 견:kyun/gyeon 라:ra/na 리:lee/ri 림:lim/rim 량:ryang 려:ryeo
        남궁:namgung/namkoong/namkung/namgung 황보:hwangbo 제갈:jegal/chegal/jegal 선우:sunwoo/seonwoo/sunu/seonu
        독고:dokko/dokgo 사공:sakong/sagong 서문:seomoon/suhmoon/seomun 동방:dongbang
        """
}
