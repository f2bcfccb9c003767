/// Common Latin spellings of Korean surnames, the most common first, the Revised Romanization last.
///
/// The order follows the passport statistics of the National Institute of Korean Language from memory, and common
/// knowledge.
enum KoreanSurnames {
    /// The spellings of surnames of one syllable.
    static let single: [UInt32: [ASCIILetters]] = {
        var result: [UInt32: [ASCIILetters]] = [:]
        for (name, spellings) in entries {
            if name.count == 1 { result[name[0]] = spellings }
        }
        return result
    }()

    /// The spellings of surnames of two syllables.
    static let double: [[UInt32]: [ASCIILetters]] = {
        var result: [[UInt32]: [ASCIILetters]] = [:]
        for (name, spellings) in entries where name.count == 2 { result[name] = spellings }
        return result
    }()

    private static var entries: [(name: [UInt32], spellings: [ASCIILetters])] {
        list.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { entry in
            let sides = entry.split(separator: ":")
            return (
                sides.first?.unicodeScalars.map(\.value) ?? [],
                sides.last?.split(separator: "/").map { ASCIILetters($0) } ?? []
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
