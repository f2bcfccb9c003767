import Foundation
import SwitchboardTextNormalization

/// A text as letters to compare, without what the modifiers ignore, and where its words join.
struct FoldedUnits: Sendable {
    /// UTF-16 code units.
    private(set) var units: [UInt16] = []
    /// Whether unit *i* and the one before belong to one word.
    private(set) var joins: [Bool] = []

    /// Folds a text: canonically composed, unless the modifiers ignore more.
    ///
    /// - Complexity: O(*n*).
    init(_ text: String, _ modifiers: TextModifiers) {
        let ignoresCase = modifiers.contains(.ignoringCase)
        let ignoresAccents = modifiers.contains(.ignoringAccents)
        let text =
            ignoresAccents ? text.decomposedStringWithCanonicalMapping : text.precomposedStringWithCanonicalMapping
        let scalars = Array(text.unicodeScalars)
        let starts = Self.wordJoins(scalars)
        if ignoresCase && ignoresAccents {
            appendFolded(text, scalars, starts)
            return
        }
        for (index, scalar) in scalars.enumerated() {
            if ignoresAccents, scalar.properties.generalCategory == .nonspacingMark { continue }
            guard ignoresCase, scalar != "\u{131}" else {
                append(Array(UTF16.encode(scalar) ?? .init()), joined: starts[index])
                continue
            }
            // Through capitals, so that ß is SS and ς is Σ.
            let folded = scalar.properties.uppercaseMapping.lowercased()
            append(Array(folded.utf16), joined: starts[index])
        }
    }

    /// Ignoring both is what SwitchboardTextNormalization does: its words, and between them what it leaves out.
    private mutating func appendFolded(_ text: String, _ scalars: [Unicode.Scalar], _ joined: [Bool]) {
        var position = 0
        for word in FoldedText(text, transliterating: false).words {
            while position < min(word.source.lowerBound, scalars.count) {
                append(Array(UTF16.encode(scalars[position]) ?? .init()), joined: joined[position])
                position += 1
            }
            guard let spelling = word.spellings.first else { continue }
            var last = -1
            for (index, letter) in spelling.letters.enumerated() {
                let origin = spelling.source(of: index..<index + 1).lowerBound
                let startsWord = origin != last && joined.indices.contains(origin) && !joined[origin]
                append([letter], joined: !startsWord)
                last = origin
            }
            position = max(position, word.source.upperBound)
        }
        while position < scalars.count {
            append(Array(UTF16.encode(scalars[position]) ?? .init()), joined: joined[position])
            position += 1
        }
    }

    private mutating func append(_ letters: [UInt16], joined: Bool) {
        for (index, letter) in letters.enumerated() {
            units.append(letter)
            joins.append(joined || index > 0)
        }
    }

    static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber: true
        default: scalar.properties.isAlphabetic
        }
    }

    /// A capital after a small letter begins a word; a small one after capitals does not.
    private static func wordJoins(_ scalars: [Unicode.Scalar]) -> [Bool] {
        var joins: [Bool] = []
        joins.reserveCapacity(scalars.count)
        var previousIsWord = false
        var previousIsSmall = false
        for scalar in scalars {
            let isWord = isWordScalar(scalar)
            let isCapital = scalar.properties.isUppercase
            joins.append(isWord && previousIsWord && !(previousIsSmall && isCapital))
            previousIsWord = isWord
            // A mark belongs to the letter before it.
            if scalar.properties.generalCategory != .nonspacingMark { previousIsSmall = scalar.properties.isLowercase }
        }
        return joins
    }

    /// Whether no word goes across the place before unit *position*.
    func isBoundary(_ position: Int) -> Bool {
        position >= joins.count || !joins[position]
    }
}
