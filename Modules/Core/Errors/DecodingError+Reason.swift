extension DecodingError {
    /// Returns the place in the JSON and the problem, such as "results, row 3, code: missing".
    ///
    /// - Parameter row: The name of an element of a list.
    package func reason(row: String) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map { "\(row) \($0 + 1)" } ?? String($0.stringValue.prefix(40)) }
                .joined(separator: ", ")
        }
        switch self {
        case .keyNotFound(let key, let context): return place(context.codingPath + [key]) + ": missing"
        case .typeMismatch(let type, let context):
            let problem = "not \(Self.kind(of: type))"
            return context.codingPath.isEmpty ? problem : place(context.codingPath) + ": " + problem
        case .valueNotFound(_, let context):
            return context.codingPath.isEmpty ? "null" : place(context.codingPath) + ": null"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "not JSON" : place(context.codingPath) + ": unreadable"
        @unknown default: return "not JSON"
        }
    }

    /// Returns the kind of JSON value that decodes as a type, with its article.
    private static func kind(of type: Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is any Numeric.Type: "a number"
        case is String.Type: "a string"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}
