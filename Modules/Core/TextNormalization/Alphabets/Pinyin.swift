/// Romanizes Han characters as Mandarin syllables without tones.
///
/// The default reading is that of Unihan (kMandarin). Characters with another reading in surnames or well-known names
/// have both. ü is spelled u, v or yu.
enum Pinyin {
    private static let otherReadings = parse(
        """
        单:shan/dan 單:shan/dan 曾:zeng/ceng 解:xie/jie 仇:qiu/chou 查:zha/cha 朴:piao/pu/po 翟:zhai/di 区:ou/qu 區:ou/qu
        任:ren 华:hua 華:hua 盖:ge/gai 蓋:ge/gai 覃:qin/tan 尹:yin 缪:miao/mou 繆:miao/mou 乐:yue/le 樂:yue/le 召:shao/zhao
        宓:mi/fu 秘:bi/mi 尉:wei/yu 冼:xian 洗:xian/xi 种:chong/zhong 種:zhong/chong 黑:he/hei 折:she/zhe 能:nai/neng
        员:yun/yuan 員:yun/yuan 句:gou/ju 祭:zhai/ji 谌:chen/shen 諶:chen/shen 柏:bai/bo 薄:bo/bao 卜:bu 褚:chu/zhu
        贾:jia/gu 賈:jia/gu 隗:kui/wei 逄:pang 郇:xun/huan 乜:nie/mie 郗:xi/chi 幺:yao 应:ying 燕:yan 纪:ji 紀:ji 葛:ge
        宁:ning 甯:ning 沈:shen/chen 盛:sheng/cheng 晟:sheng/cheng 石:shi 车:che/ju 車:che/ju 哈:ha 那:na/nuo 万:wan/mo
        萬:wan/mo 俟:qi/si 澹:tan/dan 令:ling 长:chang/zhang 長:chang/zhang 重:chong/zhong 行:xing/hang 朝:chao/zhao
        都:du/dou 厦:xia/sha 廈:xia/sha 蚌:bang/beng 六:liu/lu 番:fan/pan 藏:zang/cang 角:jiao/jue 奇:qi/ji 莘:xin/shen
        茜:qian/xi 强:qiang/jiang 強:qiang/jiang 还:hai/huan 還:hai/huan 传:chuan/zhuan 傳:chuan/zhuan 大:da/dai
        什:shi/shen 台:tai 叶:ye/xie 葉:ye/she 圩:xu/wei 堡:bao/pu 埔:pu/bu 涌:yong/chong 调:diao/tiao 调:diao/tiao
        曲:qu 会:hui/kuai 會:hui/kuai 佛:fo/fu 伽:jia/qie/ga 度:du/duo 降:jiang/xiang 参:can/shen 參:can/shen
        便:bian/pian 弹:dan/tan 强:qiang/jiang 好:hao 兴:xing 興:xing 和:he 若:ruo/re 娜:na/nuo 妮:ni 珏:jue 玨:jue
        殷:yin/yan 於:yu 于:yu 费:fei/bi 費:fei/bi 闫:yan 阎:yan 鲜:xian 相:xiang 将:jiang 洞:dong/tong 泊:bo/po 合:he/ge
        """)

    /// Surnames and places of two characters in which one has a special reading.
    private static let surnames = parse(
        """
        尉迟:yu/chi 尉遲:yu/chi 万俟:mo/qi 萬俟:mo/qi 澹台:tan/tai 澹臺:tan/tai 单于:chan/yu 單于:chan/yu 长孙:zhang/sun
        長孫:zhang/sun 呼延:hu/yan 皇甫:huang/fu 欧阳:ou/yang 歐陽:ou/yang 令狐:ling/hu 宰父:zai/fu 亓官:qi/guan
        重庆:chong/qing 重慶:chong/qing 成都:cheng/du 厦门:xia/men 廈門:xia/men 长春:chang/chun 乐山:le/shan 六安:lu/an
        """)

    private static func parse(_ text: String) -> [String: [[UInt16]]] {
        var result: [String: [[UInt16]]] = [:]
        for entry in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let sides = entry.split(separator: ":")
            guard sides.count == 2 else { continue }
            result[String(sides[0])] = sides[1].split(separator: "/").map { Array($0.utf16) }
        }
        return result
    }

    /// Returns the readings of a character, the most common first; empty if it is not in the table.
    static func readings(of scalar: UInt32) -> [[UInt16]] {
        guard let character = Unicode.Scalar(scalar) else { return [] }
        var readings = otherReadings[String(Character(character))] ?? []
        if let standard = PinyinTable.shared.reading(of: scalar) {
            if readings.isEmpty {
                readings = [standard]
            } else if !readings.contains(standard), !standard.contains(v) {
                readings.append(standard)
            }
        }
        return readings.flatMap { reading -> [[UInt16]] in
            guard let index = reading.firstIndex(of: v) else { return [reading] }
            // lü is spelled lu, lv, lyu
            let head = Array(reading[..<index])
            let tail = Array(reading[(index + 1)...])
            return [head + [u] + tail, head + [v] + tail, head + [y, u] + tail]
        }
    }

    /// Returns the readings of two characters that form a surname or place with a special reading.
    static func surname(_ first: UInt32, _ second: UInt32) -> ([UInt16], [UInt16])? {
        guard let one = Unicode.Scalar(first), let two = Unicode.Scalar(second) else { return nil }
        var key = String(Character(one))
        key.unicodeScalars.append(two)
        guard let readings = surnames[key], readings.count == 2 else { return nil }
        return (readings[0], readings[1])
    }

    private static let u: UInt16 = 0x75, v: UInt16 = 0x76, y: UInt16 = 0x79
}
