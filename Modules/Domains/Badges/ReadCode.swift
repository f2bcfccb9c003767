import CSwitchboardCodes

/// A code in a picture, as one library read it.
package struct ReadCode {
    /// The smallest upright rectangle around a code, in pixels.
    struct Box {
        let horizontal: ClosedRange<Int>
        let vertical: ClosedRange<Int>

        private var center: (x: Int, y: Int) {
            (
                (horizontal.lowerBound + horizontal.upperBound) / 2,
                (vertical.lowerBound + vertical.upperBound) / 2
            )
        }

        private func containsCenter(of other: Box) -> Bool {
            horizontal.contains(other.center.x) && vertical.contains(other.center.y)
        }

        /// `true` if both can only be the same code: codes do not overlap.
        func isSameCode(as other: Box) -> Bool { containsCenter(of: other) || other.containsCenter(of: self) }
    }

    /// The position in a structured append: one badge in several codes.
    struct Part {
        let index: Int
        /// The number of parts; 0 if unknown.
        let count: Int
        /// The same number for all parts.
        let sequence: Int
    }

    let contents: CodeContents
    let box: Box
    /// Nil for a code that is not part of a structured append.
    let part: Part?

    /// The bytes of the code without announcements of character sets.
    package var payload: [UInt8] { contents.bytes }

    /// Copies a code that a library reports; nil if it is empty.
    init?(_ code: sb_code) {
        guard unsafe code.length > 0 else { return nil }
        // Safe: the library reports `length` bytes, which are copied.
        let bytes = unsafe Array(UnsafeBufferPointer(start: code.bytes, count: code.length))
        contents = unsafe code.announces != 0 ? CodeContents(protocol: bytes) : CodeContents(bytes)
        let (left, right, top, bottom) = unsafe (Int(code.left), Int(code.right), Int(code.top), Int(code.bottom))
        box = Box(horizontal: min(left, right)...max(left, right), vertical: min(top, bottom)...max(top, bottom))
        part =
            unsafe code.parts == 1
            ? nil : Part(index: Int(code.part), count: Int(code.parts), sequence: Int(code.sequence))
    }
}

/// The distinct codes of a picture, collected from several readings of it.
struct FoundCodes {
    private var whole: [ReadCode] = []
    private var parts: [ReadCode] = []

    var isEmpty: Bool { whole.isEmpty && parts.isEmpty }

    /// Adds a code. Of two readings of a code, the one with announced character sets is kept.
    mutating func add(_ code: ReadCode) {
        guard code.part == nil else { return parts.append(code) }
        guard let index = whole.firstIndex(where: { $0.box.isSameCode(as: code.box) }) else {
            return whole.append(code)
        }
        if whole[index].contents.isUnannounced, !code.contents.isUnannounced { whole[index] = code }
    }

    /// The codes with their parts joined, each text once.
    var codes: [ScannedCode] {
        var whole = whole
        var joined: [ScannedCode] = []
        for (_, parts) in Dictionary(grouping: parts, by: { $0.part?.sequence }).sorted(by: {
            $0.key ?? 0 < $1.key ?? 0
        }) {
            var byIndex: [Int: ReadCode] = [:]
            for part in parts { byIndex[part.part?.index ?? 0] = part }
            let ordered = byIndex.sorted { $0.key < $1.key }.map(\.value)
            let overlapping = whole.filter { code in parts.contains { $0.box.isSameCode(as: code.box) } }
            whole.removeAll { code in parts.contains { $0.box.isSameCode(as: code.box) } }
            let expected = ordered.first?.part?.count ?? 0
            var contents = CodeContents([])
            for part in ordered { contents.append(part.contents) }
            if ordered.count == expected {
                joined.append(ScannedCode(contents: contents))
            } else if let longer = overlapping.first(where: { $0.contents.bytes.count > contents.bytes.count }) {
                // zbar joins parts by itself, and may read some that zxing-cpp does not.
                joined.append(ScannedCode(contents: longer.contents))
            } else {
                joined.append(ScannedCode(contents: contents, missingParts: max(expected - ordered.count, 1)))
            }
        }
        var texts: Set<String> = []
        return (whole.map { ScannedCode(contents: $0.contents) } + joined).filter { texts.insert($0.text).inserted }
    }
}
