import Foundation
import SwitchboardAlgorithms

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

/// A time in a query. Relative times such as `$time.now` are fixed when the query starts.
enum TimeExpression: Sendable, Hashable {
    /// A known time: seconds since 2001, or an ISO date with an offset.
    case instant(Date)
    /// An ISO date without an offset: seconds since 2001 as if in UTC, in the time zone of the calendar.
    case local(TimeInterval)
    /// `$time.now(±seconds)`
    case now(TimeInterval)
    /// The start of a day, week, month or year, shifted by a number of units.
    case start(Calendar.Component, Int)

    /// Returns the date.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - calendar: The calendar that provides the time zone; weeks always begin on Monday.
    func date(at now: Date, in calendar: Calendar) -> Date {
        let zone = calendar.timeZone
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        calendar.firstWeekday = 2
        switch self {
        case .instant(let date): return date
        case .now(let seconds): return now.addingTimeInterval(seconds)
        case .local(let seconds): return zone.instant(showing: Date(timeIntervalSinceReferenceDate: seconds))
        case .start(let unit, let count):
            let start = calendar.dateInterval(of: unit, for: now)?.start ?? now
            let moved = calendar.date(byAdding: unit, value: count, to: start) ?? start
            return calendar.dateInterval(of: unit, for: moved)?.start ?? moved
        }
    }

    /// The maximum shift of `$time.now` in seconds: about ten thousand years.
    static let maximumShift = 3.2e11

    /// Returns the maximum shift in days, weeks, months or years: about ten thousand years, which calendars can
    /// represent.
    static func maximumShift(of unit: Calendar.Component) -> Double {
        switch unit {
        case .day: 3_650_000
        case .weekOfYear: 520_000
        case .month: 120_000
        default: 10_000
        }
    }

    /// Parses `2026-11-20`, `2026-11-20T09:00`, `…:30` or `….25`, with `Z`, `+01:00` or no offset.
    init?(iso text: String) {
        guard Self.hasISOForm(text), let date = CivilDate(text.utf8) else { return nil }
        // 2001-01-01 is 11,323 days after 1970-01-01.
        let total = Double(date.days - 11_323) * 86_400 + (date.seconds ?? 0)
        self = date.offset.map { .instant(Date(timeIntervalSinceReferenceDate: total - $0)) } ?? .local(total)
    }
}

extension TimeExpression {
    /// Returns `true` for the forms of ``init(iso:)``; `CivilDate` reads others, too.
    ///
    /// Compiling a regular expression takes some 0.3 ms, which counts in a put of many items.
    static func hasISOForm(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        // In a form, 0 is any digit.
        func take(_ form: StaticString) -> Bool {
            let form = form.description.utf8
            guard rest.count >= form.count,
                zip(rest, form).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 })
            else { return false }
            rest = rest.dropFirst(form.count)
            return true
        }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard take("0000-00-00") else { return false }
        if rest.isEmpty { return true }
        guard take("T") || take(" "), rest.prefix(2).lexicographicallyPrecedes("24".utf8), take("00:00") else {
            return false
        }
        if take(":00"), take(".0") { rest = rest.drop(while: isDigit) }
        if take("Z") || rest.isEmpty { return rest.isEmpty }
        guard take("+00") || take("-00") else { return false }
        return rest.isEmpty || ((take(":00") || take("00")) && rest.isEmpty)
    }
}

extension Date {
    /// Parses an ISO 8601 date, in UTC unless it has an offset.
    init?(iso8601 text: String) {
        guard text.utf8.count <= 40, let time = TimeExpression(iso: text) else { return nil }
        switch time {
        case .instant(let date): self = date
        case .local(let seconds): self = Date(timeIntervalSinceReferenceDate: seconds)
        case .now, .start: return nil
        }
    }
}
