/// Georgian written in Latin letters: the national system of 2002 without its apostrophes, and usual departures.
enum GeorgianAlphabet {
    private static let table = RomanTable(
        """
        ა=a ბ=b გ=g დ=d ე=e ვ=v ზ=z თ=t ი=i კ=k ლ=l მ=m ნ=n ო=o პ=p ჟ=1:zh/j რ=r ს=s ტ=t უ=u ფ=2:p/f/ph
        ქ=8:k/q ღ=3:gh/g ყ=4:q/k/y შ=sh ჩ=ch ც=5:ts/c ძ=9:dz/z წ=5:ts/c ჭ=ch ხ=6:kh/h/x ჯ=7:j/dj/dzh ჰ=h
        ჱ=e ჲ=y ჳ=w ჴ=q ჵ=o ჶ=f
        """)
    private static let romanizer = Romanizer(
        systems: [[0], [0, 1, 1, 1, 1, 1, 1, 0, 0]], freeFeatures: [1, 2, 3, 4, 5, 6, 7, 8, 9])

    /// The Latin spellings of a run, best first by track.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanized] {
        romanizer.spellings(table.units(clusters.map(\.base)), of: clusters)
    }
}

/// Armenian written in Latin letters: BGN/PCGN without its marks, and the readings of Western Armenian.
enum ArmenianAlphabet {
    private static let table = RomanTable(
        """
        ա=a բ=1:b/p գ=1:g/k դ=1:d/t ե=e զ=z է=e ը=2:y/e/- թ=t ժ=3:zh/j ի=i լ=l խ=4:kh/h/x ծ=5:ts/dz/c կ=1:k/g հ=h
        ձ=5:dz/ts ղ=6:gh/g/l ճ=1:ch/j/tch մ=m յ=7:y/i/h/j ն=n շ=sh ո=o չ=ch պ=1:p/b ջ=1:j/ch/dj ռ=r ս=s վ=v տ=1:t/d
        ր=r ց=8:ts/c/tz ւ=v փ=p ք=9:k/q օ=o ֆ=f ու=u եւ=10:ev/yev իւ=yu
        """)
    private static let romanizer = Romanizer(
        systems: [[0], [0, 1, 0, 0, 0, 1]], freeFeatures: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])

    /// The Latin spellings of a run, best first by track.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanized] {
        let letters = clusters.map(\.base)
        var units = table.units(letters)
        if let first = letters.first, letters.count > 1 {
            // Ե and Ո are spoken with y and v at the beginning, unless Ո is half of ու or stands before վ.
            if first == 0x565, units[0].range.count == 1 {
                units[0] = RomanUnit(range: 0..<1, feature: 11, options: ["ye", "e"])
            } else if first == 0x578, units[0].range.count == 1, letters[1] != 0x57E {
                units[0] = RomanUnit(range: 0..<1, feature: 12, options: ["vo", "o"])
            }
        }
        return romanizer.spellings(units, of: clusters)
    }
}
