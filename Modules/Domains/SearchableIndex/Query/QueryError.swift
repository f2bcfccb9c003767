@_exported public import SwitchboardErrors

/// A syntax or type error in a query. Columns count Unicode scalars from 1.
public enum QueryError: CodedError, Hashable {
    /// The query contains something other than expected.
    case expected(String, found: String, column: Int)
    /// The query names an unknown attribute.
    case unknownAttribute(String, column: Int)
    /// The operator or value does not match the type of the attribute.
    case wrongType(attribute: String, expected: String, column: Int)
    /// The query is longer than ``AttributeQuery/maximumLength`` scalars.
    case tooLong(limit: Int)
    /// Parentheses and negations are nested deeper than ``AttributeQuery/maximumDepth`` levels.
    case tooDeep(limit: Int, column: Int)

    /// The column of the error.
    public var column: Int {
        switch self {
        case .expected(_, _, let column), .unknownAttribute(_, let column), .wrongType(_, _, let column),
            .tooDeep(_, let column):
            column
        case .tooLong(let limit): limit + 1
        }
    }

    /// The code, the category, the position with the problem and the remedy in one sentence, and the column.
    public var details: ErrorDetails {
        let message =
            switch self {
            case .expected(let expected, let found, _): "expected \(expected), found \(found)."
            case .unknownAttribute(let name, _): "unknown attribute “\(name)”; correct the name or declare it."
            case .wrongType(let attribute, let expected, _): "“\(attribute)” needs \(expected)."
            case .tooLong(let limit): "The query has more than \(limit) characters; shorten it."
            case .tooDeep(let limit, _):
                "more than \(limit) levels of parentheses and negations; use fewer levels."
            }
        let place = if case .tooLong = self { "" } else { "Column \(column): " }
        return ErrorDetails("invalidQuery", .usage, place + message, column: column)
    }
}
