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
