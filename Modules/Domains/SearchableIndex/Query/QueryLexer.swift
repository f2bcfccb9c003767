import Foundation

/// A token of a query, with its column.
struct QueryToken {
    enum Kind: Equatable {
        case name(String)
        case text(TextValue)
        case number(Double)
        case time(TimeExpression)
        case modifiers(TextModifiers)
        case symbol(String)
        case end
    }

    var kind: Kind
    var column: Int

    /// The token as error messages show it.
    var displayText: String {
        switch kind {
        case .name(let name): "“\(name)”"
        case .text(let value): "the value \"\(value.text)\""
        case .number(let number): "the number \(number)"
        case .time: "a time"
        case .modifiers: "modifiers in brackets"
        case .symbol(let symbol): "“\(symbol)”"
        case .end: "the end"
        }
    }
}

struct QueryLexer {
    let scalars: [Unicode.Scalar]
    var position = 0

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
    private var column: Int { position + 1 }

    private func expected(_ what: String) -> QueryError {
        .expected(what, found: current.map { "“\(Character($0))”" } ?? "the end", column: column)
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let scalar = current, scalar.properties.isWhitespace { position += 1 }
    }

    mutating func next() throws(QueryError) -> QueryToken {
        skipSpace()
        let start = column
        guard let scalar = current else { return QueryToken(kind: .end, column: start) }
        let kind: QueryToken.Kind
        switch scalar {
        case "\"", "'": kind = .text(try text(quote: scalar))
        case "$": kind = .time(try time())
        case "[": kind = .modifiers(try bracketed())
        case "0"..."9", "-", "+", ".": kind = .number(try number())
        case _ where Self.isNameStart(scalar): kind = .name(name())
        default: kind = .symbol(try symbol())
        }
        return QueryToken(kind: kind, column: start)
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic
    }

    private mutating func name() -> String {
        var name = String.UnicodeScalarView()
        while let scalar = current, Self.isNameStart(scalar) || scalar.properties.numericType != nil {
            name.append(scalar)
            position += 1
        }
        return String(name)
    }

    private mutating func symbol() throws(QueryError) -> String {
        for symbol in ["&&", "||", "==", "!=", "<=", ">=", "=", "<", ">", "!", "(", ")", ",", "*"] {
            let length = symbol.unicodeScalars.count
            if position + length <= scalars.count,
                symbol.unicodeScalars.elementsEqual(scalars[position..<position + length])
            {
                position += length
                return symbol
            }
        }
        throw expected("an attribute, an operator or a value")
    }

    private mutating func text(quote: Unicode.Scalar) throws(QueryError) -> TextValue {
        position += 1
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        while let scalar = current, scalar != quote {
            position += 1
            if scalar == "*" {
                pieces.append(String(piece))
                piece = .init()
            } else if scalar == "\\" {
                guard let escaped = current else { throw expected("a character after the backslash") }
                piece.append(escaped)
                position += 1
            } else {
                piece.append(scalar)
            }
        }
        guard skip(quote) else { throw expected("a closing quote \(quote)") }
        pieces.append(String(piece))
        return TextValue(pieces: pieces, modifiers: try modifiers())
    }

    private mutating func modifiers() throws(QueryError) -> TextModifiers {
        var modifiers: TextModifiers = []
        while let scalar = current, Self.isNameStart(scalar) || scalar.properties.numericType != nil {
            guard let modifier = TextModifiers.letters[scalar] else { throw expected("a modifier c, d, w or t") }
            modifiers.insert(modifier)
            position += 1
        }
        return modifiers
    }

    private mutating func bracketed() throws(QueryError) -> TextModifiers {
        position += 1
        let modifiers = try modifiers()
        guard skip("]") else { throw expected("“]”") }
        return modifiers
    }

    private mutating func number() throws(QueryError) -> Double {
        let start = position
        if current == "-" || current == "+" { position += 1 }
        while let scalar = current {
            let isSign = scalar == "-" || scalar == "+"
            let follows = position > start && (scalars[position - 1] == "e" || scalars[position - 1] == "E")
            guard ("0"..."9").contains(scalar) || scalar == "." || scalar == "e" || scalar == "E" || isSign && follows
            else { break }
            position += 1
        }
        var written = String.UnicodeScalarView()
        written.append(contentsOf: scalars[start..<position])
        guard let value = Double(String(written)), value.isFinite else {
            throw .expected("a number", found: "“\(String(written))”", column: start + 1)
        }
        return value
    }

    // MARK: - Time

    private mutating func time() throws(QueryError) -> TimeExpression {
        position += 1
        guard name() == "time", skip(".") else { throw expected("$time. and a name") }
        let nameColumn = column
        switch name() {
        case "now": return .now(try argument(limit: TimeExpression.maximumShift, whole: false) ?? 0)
        case "today": return try starting(.day)
        case "yesterday": return .start(.day, -1)
        case "this_week": return try starting(.weekOfYear)
        case "last_week": return .start(.weekOfYear, -1)
        case "this_month": return try starting(.month)
        case "this_year": return try starting(.year)
        case "iso": return try iso()
        case let other:
            throw .expected(
                "now, today, yesterday, this_week, last_week, this_month, this_year or iso", found: "“\(other)”",
                column: nameColumn)
        }
    }

    private mutating func starting(_ unit: Calendar.Component) throws(QueryError) -> TimeExpression {
        .start(unit, Int(try argument(limit: TimeExpression.maximumShift(of: unit), whole: true) ?? 0))
    }

    private mutating func argument(limit: Double, whole: Bool) throws(QueryError) -> Double? {
        guard skip("(") else { return nil }
        skipSpace()
        let start = column
        let value = try number()
        guard abs(value) <= limit, !whole || value == value.rounded() else {
            throw .expected(
                "a \(whole ? "whole " : "")number from -\(Int(limit)) to \(Int(limit))", found: "\(value)",
                column: start)
        }
        skipSpace()
        guard skip(")") else { throw expected("“)”") }
        return value
    }

    private mutating func iso() throws(QueryError) -> TimeExpression {
        guard skip("(") else { throw expected("“(”") }
        skipSpace()
        let start = column
        let quote = current == "\"" || current == "'" ? current : nil
        if quote != nil { position += 1 }
        var written = String.UnicodeScalarView()
        while let scalar = current, scalar != (quote ?? ")") {
            written.append(scalar)
            position += 1
        }
        if let quote, !skip(quote) { throw expected("a closing quote \(quote)") }
        skipSpace()
        guard skip(")") else { throw expected("“)”") }
        let text = String(written).trimmingCharacters(in: .whitespaces)
        guard let time = TimeExpression(iso: text) else {
            throw .expected("a date such as 2026-11-20T09:00:00Z", found: "“\(text)”", column: start)
        }
        return time
    }
}
