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
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return context.codingPath.isEmpty ? "not an object" : place(context.codingPath) + ": wrong type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "not JSON" : place(context.codingPath) + ": unreadable"
        @unknown default: return "not JSON"
        }
    }
}
