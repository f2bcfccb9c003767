/// A node of a query's syntax tree. The depth is at most ``AttributeQuery/maximumDepth``; chains of `&&` and `||` are flat.
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

/// A comparison of numbers or dates. Inequality is a negated ``equal``.
public enum QueryComparison: String, Sendable, Hashable {
    /// Equal.
    case equal = "=="
    /// Less than, or earlier.
    case less = "<"
    /// Less than or equal, or not later.
    case lessOrEqual = "<="
    /// Greater than, or later.
    case greater = ">"
    /// Greater than or equal, or not earlier.
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
public struct TextValue: Sendable, Hashable {
    /// The literal split at its wildcards: `"a*b"` has two pieces, `"*a"` an empty one and `a`. Never empty.
    public var pieces: [String]
    /// The modifiers after the closing quote.
    public var modifiers: TextModifiers

    /// The literal with its wildcards.
    var text: String { pieces.joined(separator: "*") }
}

/// The modifiers of a text comparison.
public struct TextModifiers: OptionSet, Sendable, Hashable {
    /// The raw value of the option set.
    public let rawValue: UInt8

    /// Creates modifiers from a raw value.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `c`: ignores case.
    public static let ignoringCase = TextModifiers(rawValue: 1)
    /// `d`: ignores accents.
    public static let ignoringAccents = TextModifiers(rawValue: 2)
    /// `w`: matches whole words.
    public static let wholeWords = TextModifiers(rawValue: 4)
    /// `t`: matches all words of the literal, in any order.
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
