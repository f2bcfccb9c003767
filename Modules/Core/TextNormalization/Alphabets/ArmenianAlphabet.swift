/// Romanizes Armenian: BGN/PCGN without its marks, and the readings of Western Armenian.
enum ArmenianAlphabet {
    private static let table = RomanizationTable(
        """
        ա=a բ=1:b/p գ=1:g/k դ=1:d/t ե=e զ=z է=e ը=2:y/e/- թ=t ժ=3:zh/j ի=i լ=l խ=4:kh/h/x ծ=5:ts/dz/c կ=1:k/g հ=h
        ձ=5:dz/ts ղ=6:gh/g/l ճ=1:ch/j/tch մ=m յ=7:y/i/h/j ն=n շ=sh ո=o չ=ch պ=1:p/b ջ=1:j/ch/dj ռ=r ս=s վ=v տ=1:t/d
        ր=r ց=8:ts/c/tz ւ=v փ=p ք=9:k/q օ=o ֆ=f ու=u եւ=10:ev/yev իւ=yu
        """)
    private static let romanizer = Romanizer(
        systems: [[0], [0, 1, 0, 0, 0, 1]], variableFeatures: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])

    /// Returns the Latin spellings of a segment by track, best first.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(\.base)
        var units = table.units(letters)
        if let first = letters.first, letters.count > 1 {
            // Initial Ե and Ո are pronounced ye and vo, unless Ո is part of ու or precedes վ.
            if first == 0x565, units[0].range.count == 1 {
                units[0] = RomanizationUnit(range: 0..<1, feature: 11, options: ["ye", "e"])
            } else if first == 0x578, units[0].range.count == 1, letters[1] != 0x57E {
                units[0] = RomanizationUnit(range: 0..<1, feature: 12, options: ["vo", "o"])
            }
        }
        return romanizer.spellings(units, of: clusters)
    }
}
