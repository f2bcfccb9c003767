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
            pieces.map { FoldedUnits($0, value.modifiers).units }
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

    /// Returns whether a text matches.
    ///
    /// - Complexity: O(*n* · *m*), since each wildcard takes the first match and needs no backtracking.
    func matches(_ text: String) -> Bool {
        let units = FoldedUnits(text, modifiers)
        switch shape {
        case .whole(let pieces): return Self.matchesWhole(pieces, units.units)
        case .words(let tokens): return !tokens.isEmpty && tokens.allSatisfy { Self.matchesWords($0, units) }
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
        guard let head = piece.first else { return start <= end ? start : nil }
        var position = start
        while position + piece.count <= end {
            if text[position] == head, text[position..<position + piece.count].elementsEqual(piece) { return position }
            position += 1
        }
        return nil
    }
}
