import Foundation
import SwitchboardTextNormalization

/// A text folded according to the modifiers of a comparison, with its word boundaries.
struct FoldedUnits: Sendable {
    /// UTF-16 code units.
    private(set) var units: [UInt16] = []
    /// Indicates for each unit that it continues the word of the previous unit.
    private(set) var continuesWord: [Bool] = []

    /// Folds a text; canonical composition is the minimum.
    ///
    /// - Complexity: O(*n*).
    init(_ text: String, _ modifiers: TextModifiers) {
        let ignoresCase = modifiers.contains(.ignoringCase)
        let ignoresAccents = modifiers.contains(.ignoringAccents)
        let text =
            ignoresAccents ? text.decomposedStringWithCanonicalMapping : text.precomposedStringWithCanonicalMapping
        let scalars = Array(text.unicodeScalars)
        let starts = Self.wordContinuations(scalars)
        if ignoresCase && ignoresAccents {
            appendFolded(text, scalars, starts)
            return
        }
        for (index, scalar) in scalars.enumerated() {
            if ignoresAccents, scalar.properties.generalCategory == .nonspacingMark { continue }
            guard ignoresCase, scalar != "\u{131}" else {
                append(String(scalar).utf16, joined: starts[index])
                continue
            }
            // Through upper case: ß becomes SS, and ς becomes Σ.
            let folded = scalar.properties.uppercaseMapping.lowercased()
            append(folded.utf16, joined: starts[index])
        }
    }

    /// Appends the text without case and accents: the folded words of SwitchboardTextNormalization, and the characters
    /// between them.
    private mutating func appendFolded(_ text: String, _ scalars: [Unicode.Scalar], _ joined: [Bool]) {
        var position = 0
        func appendUnfolded(until end: Int) {
            while position < min(end, scalars.count) {
                append(String(scalars[position]).utf16, joined: joined[position])
                position += 1
            }
        }
        for word in FoldedText(text, transliterating: false).words {
            appendUnfolded(until: word.source.lowerBound)
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
        appendUnfolded(until: scalars.count)
    }

    private mutating func append(_ letters: some Sequence<UInt16>, joined: Bool) {
        for (index, letter) in letters.enumerated() {
            units.append(letter)
            continuesWord.append(joined || index > 0)
        }
    }

    static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber: true
        default: scalar.properties.isAlphabetic
        }
    }

    /// Returns for each scalar whether it continues a word. Words also begin at a change from lower to upper case.
    private static func wordContinuations(_ scalars: [Unicode.Scalar]) -> [Bool] {
        var continuesWord: [Bool] = []
        continuesWord.reserveCapacity(scalars.count)
        var previousIsWord = false
        var previousIsSmall = false
        for scalar in scalars {
            let isWord = isWordScalar(scalar)
            let isCapital = scalar.properties.isUppercase
            continuesWord.append(isWord && previousIsWord && !(previousIsSmall && isCapital))
            previousIsWord = isWord
            // A combining mark belongs to the letter before it.
            if scalar.properties.generalCategory != .nonspacingMark { previousIsSmall = scalar.properties.isLowercase }
        }
        return continuesWord
    }

    func isBoundary(_ position: Int) -> Bool {
        position >= continuesWord.count || !continuesWord[position]
    }
}
