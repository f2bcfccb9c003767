import Foundation

/// A recursive descent parser for queries; see the grammar in `docs/query-language.md`.
struct QueryParser {
    private var lexer: QueryLexer
    private var token: QueryToken
    private let attributes: AttributeTypes
    private var depth = 0

    init(_ scalars: [Unicode.Scalar], attributes: AttributeTypes) throws(QueryError) {
        lexer = QueryLexer(scalars: scalars)
        self.attributes = attributes
        token = try lexer.next()
    }

    mutating func parse() throws(QueryError) -> QueryNode {
        let node = try disjunction()
        guard token.kind == .end else { throw expected("&&, || or the end") }
        return node
    }

    private func expected(_ what: String) -> QueryError {
        .expected(what, found: token.displayText, column: token.column)
    }

    @discardableResult
    private mutating func advance() throws(QueryError) -> QueryToken {
        let before = token
        token = try lexer.next()
        return before
    }

    private mutating func skip(_ symbol: String) throws(QueryError) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    private mutating func require(_ symbol: String) throws(QueryError) {
        guard try skip(symbol) else { throw expected("“\(symbol)”") }
    }

    // MARK: - Logic

    private mutating func disjunction() throws(QueryError) -> QueryNode {
        let first = try conjunction()
        var nodes = [first]
        while try skip("||") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? first : .any(nodes)
    }

    private mutating func conjunction() throws(QueryError) -> QueryNode {
        let first = try term()
        var nodes = [first]
        while try skip("&&") { nodes.append(try term()) }
        return nodes.count == 1 ? first : .all(nodes)
    }

    private mutating func term() throws(QueryError) -> QueryNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= AttributeQuery.maximumDepth else {
            throw .tooDeep(limit: AttributeQuery.maximumDepth, column: token.column)
        }
        if try skip("!") { return .not(try term()) }
        if try skip("(") {
            let node = try disjunction()
            try require(")")
            return node
        }
        return try comparison()
    }

    // MARK: - Comparisons

    private mutating func comparison() throws(QueryError) -> QueryNode {
        if token.kind == .name("InRange") {
            try advance()
            return try range()
        }
        let (attribute, type) = try attribute()
        guard case .symbol(let symbol) = token.kind,
            let operation = QueryComparison(rawValue: symbol == "=" || symbol == "!=" ? "==" : symbol)
        else { throw expected("an operator ==, !=, <, <=, > or >=") }
        let operatorColumn = token.column
        try advance()
        let node: QueryNode
        if operation == .equal, try skip("*") {
            node = .comparison(attribute, .isSet)
        } else {
            if operation != .equal, type == .text || type == .flag {
                throw .wrongType(
                    attribute: attribute, expected: "== or !=, since it has no order", column: operatorColumn)
            }
            node = try compared(attribute, type, operation)
        }
        return symbol == "!=" ? .not(node) : node
    }

    private mutating func attribute() throws(QueryError) -> (String, AttributeType) {
        if try skip("*") { return ("*", .text) }
        guard case .name(let typed) = token.kind else { throw expected("an attribute, “!” or “(”") }
        let name = attributes.name(for: typed)
        guard let type = attributes[name] else { throw .unknownAttribute(typed, column: token.column) }
        try advance()
        return (name, type)
    }

    private mutating func compared(
        _ attribute: String, _ type: AttributeType, _ operation: QueryComparison
    ) throws(QueryError) -> QueryNode {
        switch type {
        case .text:
            var extra: TextModifiers = []
            if case .modifiers(let modifiers) = token.kind {
                extra = modifiers
                try advance()
            }
            guard case .text(var value) = token.kind else { throw missing(attribute, "a value in quotes") }
            value.modifiers.formUnion(extra)
            try advance()
            return .comparison(attribute, .text(value))
        case .number: return .comparison(attribute, .number(operation, try number(attribute)))
        case .date: return .comparison(attribute, .date(operation, try time(attribute)))
        case .flag:
            let flag: Bool
            switch token.kind {
            case .name("true"), .number(1): flag = true
            case .name("false"), .number(0): flag = false
            default: throw missing(attribute, "true or false")
            }
            try advance()
            return .comparison(attribute, .flag(flag))
        }
    }

    /// Returns the error for a missing literal or one of another type.
    private func missing(_ attribute: String, _ what: String) -> QueryError {
        switch token.kind {
        case .text, .number, .time, .name: .wrongType(attribute: attribute, expected: what, column: token.column)
        case .modifiers, .symbol, .end: expected(what)
        }
    }

    private mutating func number(_ attribute: String) throws(QueryError) -> Double {
        let value: Double
        switch token.kind {
        case .number(let number): value = number
        case .text(let text) where text.pieces.count == 1 && text.modifiers.isEmpty:
            guard let number = Double(text.text), number.isFinite else { throw missing(attribute, "a number") }
            value = number
        default: throw missing(attribute, "a number")
        }
        try advance()
        return value
    }

    private mutating func time(_ attribute: String) throws(QueryError) -> TimeExpression {
        let value: TimeExpression
        switch token.kind {
        case .time(let time): value = time
        case .number(let seconds): value = .instant(Date(timeIntervalSinceReferenceDate: seconds))
        default: throw missing(attribute, "a time such as $time.today, or seconds since 2001")
        }
        try advance()
        return value
    }

    private mutating func range() throws(QueryError) -> QueryNode {
        try require("(")
        let column = token.column
        let (attribute, type) = try attribute()
        try require(",")
        let test: QueryTest
        switch type {
        case .number:
            let lower = try number(attribute)
            try require(",")
            test = .numberRange(lower, try number(attribute))
        case .date:
            let lower = try time(attribute)
            try require(",")
            test = .dateRange(lower, try time(attribute))
        case .text, .flag:
            throw .wrongType(attribute: attribute, expected: "== or !=, since it has no order", column: column)
        }
        try require(")")
        return .comparison(attribute, test)
    }
}

// MARK: - Syntax tree

/// A node of a query's syntax tree. The depth is at most ``AttributeQuery/maximumDepth``; chains of `&&` and `||` are flat.
indirect enum QueryNode: Sendable {
    case all([QueryNode])
    case any([QueryNode])
    case not(QueryNode)
    case comparison(String, QueryTest)

    var comparisons: [(attribute: String, test: QueryTest)] {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.flatMap(\.comparisons)
        case .not(let node): node.comparisons
        case .comparison(let attribute, let test): [(attribute, test)]
        }
    }
}

enum QueryTest: Sendable {
    /// `attribute == *`
    case isSet
    /// `attribute == "value"cdwt`
    case text(TextValue)
    /// `attribute < 3`
    case number(QueryComparison, Double)
    /// `InRange(attribute, 1, 2)`
    case numberRange(Double, Double)
    /// `attribute < $time.now`
    case date(QueryComparison, TimeExpression)
    /// `InRange(attribute, $time.today, $time.now)`
    case dateRange(TimeExpression, TimeExpression)
    /// `attribute == true`
    case flag(Bool)
}

/// A comparison of numbers or dates. Inequality is a negated ``equal``.
enum QueryComparison: String {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds<Value: Comparable>(_ first: Value, _ second: Value) -> Bool {
        switch self {
        case .equal: first == second
        case .less: first < second
        case .lessOrEqual: first <= second
        case .greater: first > second
        case .greaterOrEqual: first >= second
        }
    }
}

/// A quoted literal with its modifiers.
struct TextValue: Equatable {
    /// The literal split at its wildcards: `"a*b"` has two pieces, `"*a"` an empty one and `a`. Never empty.
    var pieces: [String]
    var modifiers: TextModifiers

    /// The literal with its wildcards.
    var text: String { pieces.joined(separator: "*") }
}

struct TextModifiers: OptionSet {
    let rawValue: UInt8

    /// `c`
    static let ignoringCase = TextModifiers(rawValue: 1)
    /// `d`
    static let ignoringAccents = TextModifiers(rawValue: 2)
    /// `w`
    static let wholeWords = TextModifiers(rawValue: 4)
    /// `t`: matches all words of the literal, in any order.
    static let allTokens = TextModifiers(rawValue: 8)

    static let letters: [Unicode.Scalar: TextModifiers] = [
        "c": .ignoringCase, "d": .ignoringAccents, "w": .wholeWords, "t": .allTokens,
    ]
}
