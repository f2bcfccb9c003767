extension Charset {
    /// Returns the name of the character set of a text that is not UTF-8; nil if it cannot be told safely.
    ///
    /// A wrong guess spoils every name, so a rule accepts only what other character sets do not produce. A file of
    /// another character set needs its name from the user.
    package static func detected(in sample: ArraySlice<UInt8>) -> String? {
        // The sample may end within a character.
        guard let end = sample.lastIndex(where: { $0 < 0x80 }) else { return nil }
        let sample = sample[...end]
        if isShiftJIS(sample) { return "Shift_JIS" }
        if isGBK(sample) { return "GBK" }
        let words = sample.split { $0 < 0x80 && !isLetter($0) }.filter { $0.contains { $0 >= 0x80 } }
        if isWindows1251(words) { return "windows-1251" }
        return isWindows1250(words) ? "windows-1250" : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    // MARK: - Two bytes per character

    /// Returns the first and second bytes of the characters outside ASCII, 0 for the second byte of a half-width kana;
    /// nil if the bytes are invalid, or if many characters touch a Latin letter, as in a language with accents.
    private static func pairs(
        in sample: ArraySlice<UInt8>, isSingle: (UInt8) -> Bool, isLead: (UInt8) -> Bool, isTrail: (UInt8) -> Bool
    ) -> [(lead: UInt8, trail: UInt8)]? {
        var pairs: [(lead: UInt8, trail: UInt8)] = []
        var (touching, previous, wasPair) = (0, UInt8(0), false)
        var index = sample.startIndex
        while index < sample.endIndex {
            let byte = sample[index]
            index += 1
            guard byte >= 0x80 else {
                if wasPair, isLetter(byte) { touching += 1 }
                (previous, wasPair) = (byte, false)
                continue
            }
            if !wasPair, isLetter(previous) { touching += 1 }
            wasPair = true
            if isSingle(byte) {
                pairs.append((byte, 0))
            } else {
                guard isLead(byte), index < sample.endIndex, isTrail(sample[index]) else { return nil }
                pairs.append((byte, sample[index]))
                index += 1
            }
        }
        return pairs.count >= 4 && touching * 10 <= pairs.count ? pairs : nil
    }

    /// Japanese has kana, or else only kanji of the two levels.
    private static func isShiftJIS(_ sample: ArraySlice<UInt8>) -> Bool {
        let pairs = pairs(
            in: sample, isSingle: { (0xA1...0xDF).contains($0) },
            isLead: { (0x81...0x9F).contains($0) || (0xE0...0xFC).contains($0) },
            isTrail: { (0x40...0xFC).contains($0) && $0 != 0x7F })
        guard let pairs else { return false }
        let kana = pairs.count { $0.lead == 0x82 && $0.trail >= 0x9F || $0.lead == 0x83 && $0.trail <= 0x96 }
        let kanji = pairs.count { (0x88...0x9F).contains($0.lead) }
        return kana > 0 && (kana + kanji) * 10 >= pairs.count * 7 || kanji * 10 >= pairs.count * 9
    }

    /// Chinese mostly uses the 3755 common characters of GB 2312, which are sorted by pronunciation. Korean in EUC-KR
    /// stays within their first half.
    private static func isGBK(_ sample: ArraySlice<UInt8>) -> Bool {
        let pairs = pairs(
            in: sample, isSingle: { _ in false }, isLead: { (0x81...0xFE).contains($0) },
            isTrail: { (0x40...0xFE).contains($0) && $0 != 0x7F })
        guard let pairs else { return false }
        let common = pairs.count { (0xB0...0xD7).contains($0.lead) && $0.trail >= 0xA1 }
        let late = pairs.count { (0xC9...0xD7).contains($0.lead) && $0.trail >= 0xA1 }
        return common * 10 >= pairs.count * 8 && late * 100 >= pairs.count * 15
    }

    // MARK: - One byte per character

    /// Russian and its neighbors have words without a Latin letter, in lower case or capitalized. Greek has accented
    /// letters among the capitals of this character set, Hebrew has no capitals, and KOI8-R has them reversed.
    private static func isWindows1251(_ words: [ArraySlice<UInt8>]) -> Bool {
        let whole = words.filter { $0.allSatisfy { $0 >= 0x80 } && $0.count > 1 }
        let bytes = whole.joined()
        guard whole.count >= 2, whole.count * 10 >= words.count * 8 else { return false }
        func isLower(_ byte: UInt8) -> Bool {
            byte >= 0xE0 || [0xA2, 0xB3, 0xB4, 0xB8, 0xBA, 0xBC, 0xBE, 0xBF].contains(byte)
        }
        let lower = whole.filter { $0.dropFirst().allSatisfy(isLower) }
        let hasCapitals = lower.contains { (0xC0...0xDF).contains($0.first ?? 0) }
        // The frequent letters а, е, и, о and н.
        let frequent = bytes.count { [0xE0, 0xE5, 0xE8, 0xEE, 0xED].contains($0) }
        return hasCapitals && lower.count * 10 >= whole.count * 8 && frequent * 4 >= bytes.count
    }

    /// Polish has letters that are signs or undefined in Windows-1252. Czech, Slovak and Croatian have š and ž beside
    /// letters that are Scandinavian or Romance there, where š and ž are rare.
    private static func isWindows1250(_ words: [ArraySlice<UInt8>]) -> Bool {
        var (polish, slavic, ambiguous) = (0, 0, 0)
        for word in words {
            for index in word.indices {
                let isAfterLetter = index > word.startIndex && isLetter(word[index - 1])
                let isBeforeLetter = index + 1 < word.endIndex && isLetter(word[index + 1])
                switch word[index] {
                case 0xB3, 0xB9, 0x9F, 0xBF: if isAfterLetter && isBeforeLetter { polish += 1 }
                case 0xA3, 0xA5, 0xAF, 0x8D, 0x8F, 0x9D: if isBeforeLetter { polish += 1 }
                case 0x8A, 0x8E, 0x9A, 0x9E: slavic += 1
                case 0xE8, 0xF8, 0xEC, 0xF9, 0xC8, 0xD8, 0xF2, 0xEF: ambiguous += 1
                // à, å, ã and õ have no frequent counterpart.
                case 0xE0, 0xE5, 0xC5, 0xE3, 0xF5: return false
                default: continue
                }
            }
        }
        return polish > 0 || slavic > 1 && ambiguous > 0 && slavic * 4 >= ambiguous
    }
}
