import Foundation
import SwitchboardTextNormalization

/// A quoted literal, folded for comparison with many texts.
struct TextPattern: Sendable {
    private enum Shape: Sendable {
        case whole([[UInt16]])
        case words([[[UInt16]]])
    }

    private let shape: Shape
    private let modifiers: TextModifiers

    init(_ value: TextValue) {
        modifiers = value.modifiers
        func folded(_ pieces: [String]) -> [[UInt16]] {
            pieces.map { FoldedUnits($0, value.modifiers, withWords: false).units }
        }
        if value.modifiers.contains(.allTokens) {
            shape = .words(Self.tokens(of: value.pieces).map(folded))
        } else if value.modifiers.contains(.wholeWords) {
            shape = .words([folded(value.pieces)])
        } else {
            shape = .whole(folded(value.pieces))
        }
    }

    /// Returns the words of a literal with their wildcards: `"big par*"` is `big` and `par*`.
    private static func tokens(of pieces: [String]) -> [[String]] {
        var tokens: [[String]] = []
        var token = [""]
        func close() {
            if token.contains(where: { !$0.isEmpty }) { tokens.append(token) }
            token = [""]
        }
        for (index, piece) in pieces.enumerated() {
            if index > 0 { token.append("") }
            for scalar in piece.unicodeScalars {
                if FoldedUnits.isWordScalar(scalar) {
                    token[token.count - 1].unicodeScalars.append(scalar)
                } else {
                    close()
                }
            }
        }
        close()
        return tokens
    }

    /// Returns `true` if a text matches.
    ///
    /// - Complexity: O(*n* · *m*), since each wildcard takes the first match and needs no backtracking.
    func matches(_ text: String) -> Bool {
        switch shape {
        case .whole(let pieces): return Self.matchesWhole(pieces, FoldedUnits(text, modifiers, withWords: false).units)
        case .words(let tokens):
            let units = FoldedUnits(text, modifiers, withWords: true)
            return !tokens.isEmpty && tokens.allSatisfy { Self.matchesWords($0, units) }
        }
    }

    private static func matchesWhole(_ pieces: [[UInt16]], _ text: [UInt16]) -> Bool {
        guard let first = pieces.first, let last = pieces.last else { return false }
        guard pieces.count > 1 else { return first == text }
        guard text.starts(with: first), first.count + last.count <= text.count,
            text[(text.count - last.count)...].elementsEqual(last)
        else { return false }
        var position = first.count
        let end = text.count - last.count
        for piece in pieces[1..<pieces.count - 1] {
            guard let found = firstIndex(of: piece, in: text, from: position, to: end) else { return false }
            position = found + piece.count
        }
        return true
    }

    private static func matchesWords(_ pieces: [[UInt16]], _ text: FoldedUnits) -> Bool {
        guard let first = pieces.first else { return false }
        // An empty literal matches any text; a leading wildcard matches at any position.
        var start = 0
        while let found = firstIndex(of: first, in: text.units, from: start, to: text.units.count) {
            start = found + 1
            let end = found + first.count
            guard first.isEmpty || text.isBoundary(found) else { continue }
            if pieces.count > 1 { return matchesRest(pieces.dropFirst(), text, from: end) }
            if first.isEmpty || text.isBoundary(end) { return true }
        }
        return false
    }

    private static func matchesRest(_ pieces: ArraySlice<[UInt16]>, _ text: FoldedUnits, from start: Int) -> Bool {
        var position = start
        for piece in pieces.dropLast() {
            guard let found = firstIndex(of: piece, in: text.units, from: position, to: text.units.count) else {
                return false
            }
            position = found + piece.count
        }
        guard let last = pieces.last, !last.isEmpty else { return true }
        while let found = firstIndex(of: last, in: text.units, from: position, to: text.units.count) {
            if text.isBoundary(found + last.count) { return true }
            position = found + 1
        }
        return false
    }

    private static func firstIndex(of piece: [UInt16], in text: [UInt16], from start: Int, to end: Int) -> Int? {
        guard let first = piece.first else { return start <= end ? start : nil }
        var position = start
        while position + piece.count <= end {
            if text[position] == first, text[position..<position + piece.count].elementsEqual(piece) { return position }
            position += 1
        }
        return nil
    }
}

/// A text folded according to the modifiers of a comparison, with its word boundaries.
private struct FoldedUnits: Sendable {
    /// UTF-16 code units.
    private(set) var units: [UInt16] = []
    /// A flag for each unit: `true` if it continues the word of the previous unit. Without words all are `false`.
    private(set) var continuesWord: [Bool] = []

    /// Folds a text; canonical composition is the minimum.
    ///
    /// - Complexity: O(*n*).
    init(_ text: String, _ modifiers: TextModifiers, withWords: Bool) {
        func continuations(_ scalars: [Unicode.Scalar]) -> [Bool] {
            withWords ? Self.wordContinuations(scalars) : Array(repeating: false, count: scalars.count)
        }
        let ignoresCase = modifiers.contains(.ignoringCase)
        let ignoresAccents = modifiers.contains(.ignoringAccents)
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            // Most texts; without the tables of Unicode they take a tenth of the time.
            units = text.utf8.map { UInt16(ignoresCase && (0x41...0x5A).contains($0) ? $0 | 0x20 : $0) }
            continuesWord = withWords ? continuations(Array(text.unicodeScalars)) : []
            return
        }
        let text =
            ignoresAccents ? text.decomposedStringWithCanonicalMapping : text.precomposedStringWithCanonicalMapping
        let scalars = Array(text.unicodeScalars)
        let starts = continuations(scalars)
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
        if scalar.isASCII { return "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber: true
        default: scalar.properties.isAlphabetic
        }
    }

    /// Returns a flag for each scalar: `true` if it continues a word. Words also begin at a change from lower to upper
    /// case.
    private static func wordContinuations(_ scalars: [Unicode.Scalar]) -> [Bool] {
        var continuesWord: [Bool] = []
        continuesWord.reserveCapacity(scalars.count)
        var previousIsWord = false
        var previousIsSmall = false
        for scalar in scalars {
            let isWord = isWordScalar(scalar)
            let isCapital = scalar.isASCII ? "A"..."Z" ~= scalar : scalar.properties.isUppercase
            continuesWord.append(isWord && previousIsWord && !(previousIsSmall && isCapital))
            previousIsWord = isWord
            if scalar.isASCII {
                previousIsSmall = "a"..."z" ~= scalar
            } else if scalar.properties.generalCategory != .nonspacingMark {
                // A combining mark belongs to the letter before it.
                previousIsSmall = scalar.properties.isLowercase
            }
        }
        return continuesWord
    }

    func isBoundary(_ position: Int) -> Bool {
        position >= continuesWord.count || !continuesWord[position]
    }
}
