/// The syntax tree of a query. Its depth is bounded by ``AttributeQuery/deepest``; chains of `&&` and `||` are flat.
public indirect enum QueryNode: Sendable, Hashable {
    /// `a && b && c`
    case all([QueryNode])
    /// `a || b || c`
    case any([QueryNode])
    /// `!a`
    case not(QueryNode)
    /// `attribute == *`
    case isSet(String)
    /// `attribute == "value"cdwt`
    case text(String, TextValue)
    /// `attribute < 3`
    case number(String, QueryComparison, Double)
    /// `attribute < $time.now`
    case date(String, QueryComparison, TimeExpression)
    /// `attribute == true`
    case flag(String, Bool)
    /// `InRange(attribute, 1, 2)`
    case numberRange(String, Double, Double)
    /// `InRange(attribute, $time.today, $time.now)`
    case dateRange(String, TimeExpression, TimeExpression)
}

/// How a number or a date is compared. What is not equal is written as a negation.
public enum QueryComparison: String, Sendable, Hashable {
    /// The same.
    case equal = "=="
    /// Less, or earlier.
    case less = "<"
    /// At most, or not later.
    case lessOrEqual = "<="
    /// More, or later.
    case greater = ">"
    /// At least, or not earlier.
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

/// A quoted value with its modifiers.
public struct TextValue: Sendable, Hashable {
    /// What stands between the wildcards: `"a*b"` is two pieces, `"*a"` an empty one and `a`. Never empty.
    public var pieces: [String]
    /// The letters behind the closing quote.
    public var modifiers: TextModifiers

    /// The value with its wildcards.
    var text: String { pieces.joined(separator: "*") }
}

/// How a quoted value is compared.
public struct TextModifiers: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes modifiers from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `c`
    public static let ignoringCase = TextModifiers(rawValue: 1)
    /// `d`
    public static let ignoringAccents = TextModifiers(rawValue: 2)
    /// `w`
    public static let wholeWords = TextModifiers(rawValue: 4)
    /// `t`
    public static let allTokens = TextModifiers(rawValue: 8)

    init?(letter: Unicode.Scalar) {
        switch letter {
        case "c": self = .ignoringCase
        case "d": self = .ignoringAccents
        case "w": self = .wholeWords
        case "t": self = .allTokens
        default: return nil
        }
    }
}
