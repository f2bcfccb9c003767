/// Romanizes Georgian: the national system of 2002 without its apostrophes, and common variations.
enum GeorgianAlphabet {
    private static let table = RomanizationTable(
        """
        ა=a ბ=b გ=g დ=d ე=e ვ=v ზ=z თ=t ი=i კ=k ლ=l მ=m ნ=n ო=o პ=p ჟ=1:zh/j რ=r ს=s ტ=t უ=u ფ=2:p/f/ph
        ქ=8:k/q ღ=3:gh/g ყ=4:q/k/y შ=sh ჩ=ch ც=5:ts/c ძ=9:dz/z წ=5:ts/c ჭ=ch ხ=6:kh/h/x ჯ=7:j/dj/dzh ჰ=h
        ჱ=e ჲ=y ჳ=w ჴ=q ჵ=o ჶ=f
        """)
    private static let romanizer = Romanizer(
        systems: [[:], [1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1]], variable: 1...9)

    /// Returns the Latin spellings of a segment by track, best first.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        romanizer.spellings(table.units(clusters.map(\.base)), of: clusters)
    }
}
