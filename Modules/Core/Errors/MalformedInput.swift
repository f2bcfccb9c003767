/// A syntax error in a file, with its position.
public struct MalformedInput: CodedError, Hashable, Codable {
    /// The file name as given by the caller; empty if the reader does not know it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The byte in the line, from 1; nil if the error concerns the whole line or card.
    public var column: Int?
    /// The problem and, where useful, the expected input; one line.
    public var reason: String

    /// Creates an error at a position.
    public init(file: String = "", line: Int, column: Int? = nil, reason: String) {
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// The code, the category, the reason and the position.
    public var details: ErrorDetails {
        ErrorDetails("malformedInput", .malformed, reason, file: file.isEmpty ? nil : file, line: line, column: column)
    }

    /// The position and the reason: `a.vcf:12:3: reason`.
    public var description: String {
        let position = [file, String(line), column.map { String($0) } ?? ""].filter { !$0.isEmpty }
        return position.joined(separator: ":") + ": " + reason
    }
}
