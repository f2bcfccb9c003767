import Foundation

/// Romanizes scripts without a table (Thai, Devanagari, Bengali, Tamil, …) with ICU's transform to Latin.
///
/// Loading ICU takes tens of milliseconds. Nothing else in this module may use it.
enum OtherScripts {
    /// The maximum length of a segment, since ICU may take more than linear time.
    private static let maximumLength = 64

    /// Returns `true` for a consonant of Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, …, whose blocks of 128
    /// scalars have the same layout.
    private static func isIndicConsonant(_ scalar: UInt32) -> Bool {
        (0x900..<0xD80).contains(scalar) && (0x15...0x39).contains(scalar & 0x7F)
    }

    /// Returns the Latin spellings of a segment from ICU, with letters aligned to clusters in proportion.
    static func romanize(_ clusters: ArraySlice<LetterCluster>) -> [Romanization] {
        guard clusters.count <= maximumLength else { return [] }
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
        let whole = Romanization(aligning: letters, to: clusters)
        // राम is transliterated as rama but pronounced Ram: drop the final a.
        guard letters.count > 2, letters.last == 0x61, let last = clusters.last, isIndicConsonant(last.base) else {
            return [whole]
        }
        return [Romanization(aligning: letters.dropLast(), to: clusters), whole]
    }
}

extension Romanization {
    /// Distributes letters over clusters in proportion.
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
