import CSwitchboardTextTables

/// Names with their Latin spellings, the most common first.
struct NameReadings: Sendable {
    private let readings: [[UInt32]: [[UInt16]]]

    /// Parses a list of `name:reading/reading …` and folds the names.
    init(_ list: sb_text_table) {
        var readings: [[UInt32]: [[UInt16]]] = [:]
        for entry in String(list).split(whereSeparator: \.isWhitespace) {
            let sides = entry.split(separator: ":")
            guard sides.count == 2 else { continue }
            var name: [UInt32] = []
            WordScanner.scan(String(sides[0])) { name += $0.clusters.map(\.base) }
            readings[name, default: []] += sides[1].split(separator: "/").map { Array($0.utf16) }
        }
        self.readings = readings
    }

    /// The readings of a name in folded letters; empty if the name is not listed.
    subscript(letters: some Sequence<UInt32>) -> [[UInt16]] {
        readings[Array(letters)] ?? []
    }
}

extension String {
    init(_ table: sb_text_table) {
        // Safe: the text is a constant of the program and ends with NUL.
        unsafe self.init(cString: sb_text(table))
    }
}

extension Romanization {
    /// Aligns the Latin letters of each reading of a name with its clusters: a letter advances to the next cluster if
    /// that cluster can begin with it.
    ///
    /// - Parameter beginnings: Returns the Latin letters with which a cluster can begin, or an empty array for a silent
    ///   one.
    static func aligned(
        _ readings: some Collection<[UInt16]>, along clusters: ArraySlice<LetterCluster>,
        beginnings: (LetterCluster) -> [UInt16]
    ) -> [Romanization] {
        if readings.isEmpty { return [] }
        let clusters = Array(clusters)
        let beginnings = clusters.map(beginnings)
        return readings.map { Romanization($0, along: clusters, beginnings) }
    }

    private init(_ reading: [UInt16], along clusters: [LetterCluster], _ beginnings: [[UInt16]]) {
        self.init(capacity: reading.count)
        let last = clusters.count - 1
        if last < 0 { return }
        var position = 0
        for (index, letter) in reading.enumerated() {
            if index > 0, position < last {
                if beginnings[position + 1].contains(letter) {
                    position += 1
                } else if position + 1 < last, beginnings[position + 1].isEmpty,
                    beginnings[position + 2].contains(letter)
                {
                    position += 2
                }
            }
            let end = clusters[index == reading.count - 1 ? last : position].end
            let start = clusters[position].start
            append(LetterCluster(base: UInt32(letter), mark: 0, start: start, end: max(start, end)))
        }
    }

    /// Returns the tracks of a word in a script without vowels: the best reading, the bare consonants, five tracks for
    /// other readings of names, then guesses and further consonants.
    ///
    /// If a name has few other readings, they are in the last of the five tracks, and its best reading fills the rest:
    /// the second reading of Mohammed pairs with Ali, not with the rarer Aly.
    static func tracks(names: [Romanization], guesses: [Romanization], skeletons: [Romanization]) -> [Romanization] {
        guard let best = names.first ?? guesses.first(where: { !$0.letters.isEmpty }) else { return skeletons }
        var result = [best] + skeletons.prefix(1).filter { !$0.letters.isEmpty }
        let others = Array(names.dropFirst().prefix(5))
        if !others.isEmpty {
            let padding = others.count < 4 ? Array(repeating: best, count: 5 - others.count) : []
            result += padding + others
        }
        for spelling in names.dropFirst(6) + guesses + skeletons.dropFirst() {
            guard result.count < FoldedWord.maximumSpellings - 3 else { break }
            guard !spelling.letters.isEmpty else { continue }
            if !result.contains(where: { $0.letters == spelling.letters }) { result.append(spelling) }
        }
        return result.count > 2 ? result + [best] : result
    }
}
