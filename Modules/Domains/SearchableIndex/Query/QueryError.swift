/// Why a query cannot be read, and where. Columns count Unicode scalars from 1.
public enum QueryError: Error, Sendable, Hashable {
    /// Something else should stand at this column.
    case expected(String, found: String, column: Int)
    /// No attribute has this name.
    case unknownAttribute(String, column: Int)
    /// The attribute, the operator and the value do not go together.
    case wrongType(attribute: String, expected: String, column: Int)
    /// The query has more than ``AttributeQuery/longest`` scalars.
    case tooLong(limit: Int)
    /// Parentheses and negations are nested more than ``AttributeQuery/deepest`` levels.
    case tooDeep(limit: Int, column: Int)

    /// Where in the query the error is.
    public var column: Int {
        switch self {
        case .expected(_, _, let column), .unknownAttribute(_, let column), .wrongType(_, _, let column),
            .tooDeep(_, let column):
            column
        case .tooLong(let limit): limit + 1
        }
    }
}

extension QueryError: CustomStringConvertible {
    /// One sentence that says where, what, and what to write instead.
    public var description: String {
        switch self {
        case .expected(let expected, let found, let column):
            "Column \(column): expected \(expected), found \(found)."
        case .unknownAttribute(let name, let column):
            "Column \(column): there is no attribute “\(name)”; declare it or correct the name."
        case .wrongType(let attribute, let expected, let column):
            "Column \(column): “\(attribute)” needs \(expected)."
        case .tooLong(let limit):
            "The query has more than \(limit) characters; shorten it."
        case .tooDeep(let limit, let column):
            "Column \(column): more than \(limit) levels of parentheses and negations; write it flatter."
        }
    }
}
