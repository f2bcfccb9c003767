/// What is wrong with a file that was read, and where.
public struct MalformedInput: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as the caller named it; empty where a reader does not know it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The byte in that line, from 1; nil where the whole line or card is meant.
    public var column: Int?
    /// What is wrong, and where it helps what was expected; one line.
    public var reason: String

    /// A fault at a place.
    public init(file: String = "", line: Int, column: Int? = nil, reason: String) {
        self.file = file
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// `a.vcf:12:3: reason`
    public var description: String {
        let place = [file, String(line), column.map { String($0) } ?? ""].filter { !$0.isEmpty }
        return place.joined(separator: ":") + ": " + reason
    }
}
