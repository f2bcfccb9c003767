/// Names whose script leaves out vowels, with the ways people write them in Latin letters, the most usual first.
struct NameReadings: Sendable {
    private let readings: [[UInt32]: [[UInt16]]]

    /// Reads `name:reading/reading …`. The names are folded as text is.
    init(_ list: String) {
        var readings: [[UInt32]: [[UInt16]]] = [:]
        for entry in list.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let sides = entry.split(separator: ":")
            guard sides.count == 2 else { continue }
            WordScanner.scan(String(sides[0])) { word in
                readings[word.clusters.map(\.base), default: []] +=
                    sides[1].split(separator: "/").map { Array($0.utf16) }
            }
        }
        self.readings = readings
    }

    /// The readings of a name in folded letters; none if it is not in the list.
    subscript(letters: some Sequence<UInt32>) -> [[UInt16]] {
        readings[Array(letters)] ?? []
    }
}

extension Romanized {
    /// Lays the letters of a name along the clusters it is written with: a Latin letter goes on to the next cluster
    /// when that can begin with it.
    ///
    /// - Parameter beginnings: The Latin letters a cluster can begin with; none for a silent one.
    init(_ name: [UInt16], along clusters: ArraySlice<LetterCluster>, beginnings: (LetterCluster) -> [UInt16]) {
        self.init()
        guard let first = clusters.indices.first, let last = clusters.indices.last else { return }
        var position = first
        for (index, letter) in name.enumerated() {
            if index > 0, position < last {
                if beginnings(clusters[position + 1]).contains(letter) {
                    position += 1
                } else if position + 1 < last, beginnings(clusters[position + 1]).isEmpty,
                    beginnings(clusters[position + 2]).contains(letter)
                {
                    position += 2
                }
            }
            let isLast = index == name.count - 1
            append(
                [letter],
                over: SourceSpan(start: clusters[position].start, end: clusters[isLast ? last : position].end))
        }
    }

    /// The tracks of a word in a script without vowels: the best reading, the bare consonants, and then five tracks
    /// for other readings of names.
    ///
    /// A name with few readings has them in the last of the five and its best one in the others, so that Mohamed and
    /// Ali, who is Aly more rarely, go together. Guesses and further consonants come after these, each once.
    static func tracks(names: [Romanized], guesses: [Romanized], skeletons: [Romanized]) -> [Romanized] {
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

    private mutating func append(_ text: [UInt16], over span: SourceSpan) {
        var piece = LetterCluster(base: 0, mark: 0, start: span.start, end: max(span.start, span.end))
        piece.base = UInt32(text.first ?? 0)
        append(piece)
    }
}
