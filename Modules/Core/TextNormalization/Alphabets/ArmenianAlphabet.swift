/// Romanizes Armenian: BGN/PCGN without its marks, and the readings of Western Armenian.
enum ArmenianAlphabet {
    private static let table = RomanizationTable(
        """
        ա=a բ=1:b/p գ=1:g/k դ=1:d/t ե=e զ=z է=e ը=2:y/e/- թ=t ժ=3:zh/j ի=i լ=l խ=4:kh/h/x ծ=5:ts/dz/c կ=1:k/g հ=h
        ձ=5:dz/ts ղ=6:gh/g/l ճ=1:ch/j/tch մ=m յ=7:y/i/h/j ն=n շ=sh ո=o չ=ch պ=1:p/b ջ=1:j/ch/dj ռ=r ս=s վ=v տ=1:t/d
        ր=r ց=8:ts/c/tz ւ=v փ=p ք=9:k/q օ=o ֆ=f ու=u եւ=10:ev/yev իւ=yu
        """)
    private static let romanizer = Romanizer(systems: [[:], [1: 1, 5: 1]], variable: 1...12)

    /// Returns the Latin spellings of a segment by track, best first.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        let letters = clusters.map(\.base)
        let units = table.units(letters) { index, _ in
            // Initial Ե and Ո are pronounced ye and vo, unless Ո is part of ու or precedes վ.
            guard index == 0, letters.count > 1, table.unit(at: 0, in: letters).range.count == 1 else { return nil }
            switch letters[0] {
            case 0x565: return RomanizationUnit(0..<1, feature: 11, ["ye", "e"])
            case 0x578 where letters[1] != 0x57E: return RomanizationUnit(0..<1, feature: 12, ["vo", "o"])
            default: return nil
            }
        }
        return romanizer.spellings(units, of: clusters)
    }
}
