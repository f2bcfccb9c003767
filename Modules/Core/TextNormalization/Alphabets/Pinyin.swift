import CSwitchboardTextTables

/// Romanizes Han characters as Mandarin syllables without tones.
///
/// The default reading comes from Unihan (kMandarin). Characters with another reading in surnames or well-known names
/// have both readings. ü is spelled u, v or yu.
enum Pinyin {
    /// Other readings of characters, and the readings of surnames and places of two characters.
    private static let listed = NameReadings(sb_mandarin_readings)

    /// Returns the readings of a character, the most common first; empty if it is not in the table.
    static func readings(of scalar: UInt32) -> [[UInt16]] {
        var readings = listed[CollectionOfOne(scalar)]
        if let standard = standardReading(of: scalar) {
            if readings.isEmpty {
                readings = [standard]
            } else if !readings.contains(standard), !standard.contains(v) {
                readings.append(standard)
            }
        }
        return readings.flatMap { reading -> [[UInt16]] in
            guard let index = reading.firstIndex(of: v) else { return [reading] }
            // lü is spelled lu, lv, lyu
            let head = reading[..<index]
            let tail = reading[(index + 1)...]
            let spellings: [[UInt16]] = [[u], [v], [y, u]]
            return spellings.map { head + $0 + tail }
        }
    }

    /// Returns the readings of two characters that form a surname or place with a special reading.
    static func surname(_ first: UInt32, _ second: UInt32) -> ([UInt16], [UInt16])? {
        let readings = listed[[first, second]]
        return readings.count == 2 ? (readings[0], readings[1]) : nil
    }

    /// Returns the most common reading of a character, with `v` for ü, or `nil` if the table has none.
    private static func standardReading(of scalar: UInt32) -> [UInt16]? {
        guard (0x3400..<0xA000).contains(scalar) else { return nil }
        // For each character, the table has the offset of its syllable, or 0. The syllables end in NUL.
        let cell = Int(scalar - 0x3400) * 2
        let offset = Int(sb_mandarin_byte(cell)) | Int(sb_mandarin_byte(cell + 1)) << 8
        guard offset > 0 else { return nil }
        var letters: [UInt16] = []
        var position = (0xA000 - 0x3400) * 2 + offset
        while sb_mandarin_byte(position) != 0 {
            letters.append(UInt16(sb_mandarin_byte(position)))
            position += 1
        }
        return letters
    }

    private static let u: UInt16 = 0x75, v: UInt16 = 0x76, y: UInt16 = 0x79
}
