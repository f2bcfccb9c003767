/// An excerpt of a text around a match.
public struct Snippet: Sendable, Hashable {
    /// The field of the text: `contentDescription` or `textContent`.
    public var field: String
    /// The excerpt, with an ellipsis where text is omitted.
    public var text: String
    /// The ranges to highlight, in Unicode scalars, sorted and disjoint.
    public var highlights: [Range<Int>]

    /// The approximate length in Unicode scalars.
    static let length = 160
}

extension Snippet {
    /// Creates an excerpt around the first highlight; the whole text if it is short.
    public init(of text: String, field: String, highlights: [Range<Int>]) {
        self.field = field
        let scalars = text.utf8.count > Snippet.length ? Array(text.unicodeScalars) : []
        guard scalars.count > Snippet.length, let first = highlights.first else {
            self.text = text
            self.highlights = highlights
            return
        }
        var start = max(0, min(first.lowerBound - Snippet.length / 3, scalars.count - Snippet.length))
        var end = min(start + Snippet.length, scalars.count)
        // Cut at a nearby space.
        if start > 0 {
            let space = scalars[start..<min(start + 20, first.lowerBound)].firstIndex { $0.properties.isWhitespace }
            if let space { start = space + 1 }
        }
        if end < scalars.count {
            let space = scalars[max(end - 20, min(first.upperBound, end))..<end].lastIndex {
                $0.properties.isWhitespace
            }
            if let space { end = space }
        }
        let before = start > 0 ? "…" : ""
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars[start..<end])
        self.text = before + String(part) + (end < scalars.count ? "…" : "")
        let shift = before.unicodeScalars.count - start
        self.highlights = highlights.compactMap { range in
            let range = range.clamped(to: start..<end)
            return range.isEmpty ? nil : range.lowerBound + shift..<range.upperBound + shift
        }
    }
}

extension Snippet {
    /// The excerpt in one line: each line break becomes a separator, with the white space around it.
    public var inOneLine: Snippet {
        let scalars = Array(text.unicodeScalars)
        var line = String.UnicodeScalarView()
        // The position of each scalar in the line.
        var places: [Int] = []
        var position = 0
        while position < scalars.count {
            let gap = scalars[position...].prefix { $0.properties.isWhitespace }
            if gap.contains(where: { $0.properties.isLineBreak }) {
                places += Array(repeating: line.count, count: gap.count)
                position = gap.endIndex
                if !line.isEmpty, position < scalars.count { line.append(contentsOf: Self.separator.unicodeScalars) }
            } else {
                let end = max(gap.endIndex, position + 1)
                for scalar in scalars[position..<end] {
                    places.append(line.count)
                    line.append(scalar)
                }
                position = end
            }
        }
        places.append(line.count)
        let ranges = highlights.map { range in
            places[min(range.lowerBound, scalars.count)]..<places[min(range.upperBound, scalars.count)]
        }
        return Snippet(field: field, text: String(line), highlights: ranges.filter { !$0.isEmpty })
    }

    /// The separator of the lines of a text, and of a description and another text, in a row.
    public static let separator = " · "
}

extension Unicode.Scalar.Properties {
    fileprivate var isLineBreak: Bool {
        switch generalCategory {
        case .lineSeparator, .paragraphSeparator, .control: isWhitespace
        default: false
        }
    }
}
