import Foundation

/// Scripts without a table here (Thai, Devanagari, Bengali, Tamil, …), by ICU's transform to Latin.
///
/// The only place that uses ICU: loading it costs tens of milliseconds, so nothing else may come here.
enum OtherScripts {
    /// Longer wordSuffixes are no words anybody types, and ICU need not be linear in them.
    private static let longestRun = 64

    /// Whether a letter is a consonant of Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, … : these blocks
    /// are laid out alike, 128 scalars each.
    private static func isIndicConsonant(_ scalar: UInt32) -> Bool {
        (0x900..<0xD80).contains(scalar) && (0x15...0x39).contains(scalar & 0x7F)
    }

    /// The Latin spelling of a run, if ICU knows one. Each letter stands for the whole run, since ICU does not tell
    /// which letter comes from which; where there are as many letters as clusters, they are taken one by one.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanized] {
        guard clusters.count <= longestRun else { return [] }
        var source = String.UnicodeScalarView()
        for cluster in clusters {
            if let scalar = Unicode.Scalar(cluster.base) { source.append(scalar) }
            if let mark = Unicode.Scalar(cluster.mark), cluster.mark != 0 { source.append(mark) }
        }
        guard let latin = String(source).applyingTransform(.toLatin, reverse: false) else { return [] }
        var letters: [UInt16] = []
        WordScanner.scan(latin) { word in
            for letter in word.clusters where letter.base < 0x80 {
                letters.append(UInt16(truncatingIfNeeded: letter.base))
            }
        }
        guard !letters.isEmpty else { return [] }
        let whole = Romanized(aligning: letters, to: clusters)
        // राम is transliterated as rama and spoken Ram: the last a is not written.
        guard letters.count > 2, letters.last == 0x61, let last = clusters.last, isIndicConsonant(last.base) else {
            return [whole]
        }
        return [Romanized(aligning: letters.dropLast(), to: clusters), whole]
    }
}

extension Romanized {
    /// Spreads letters over clusters in proportion, in order, when nothing better is known.
    init(aligning letters: some Collection<UInt16>, to clusters: ArraySlice<LetterCluster>) {
        self.init()
        for (index, letter) in letters.enumerated() {
            let position = clusters.startIndex + index * clusters.count / max(letters.count, 1)
            let clamped = min(position, clusters.endIndex - 1)
            guard clamped >= clusters.startIndex else { continue }
            append([letter], of: clusters[clamped...clamped])
        }
    }
}
