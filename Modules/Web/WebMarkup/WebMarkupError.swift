@_exported public import SwitchboardErrors

/// An error of reading a page.
///
/// Invalid markup is not an error: it becomes a ``MarkupWarning``, and the rest of the page is read.
public enum WebMarkupError: CodedError, Hashable {
    /// The page is larger than allowed.
    case tooLarge(bytes: Int, limit: Int)
    /// The content type is not HTML.
    case notHTML(contentType: String)
    /// libxml2 is not installed.
    case noLibrary
    /// Memory is exhausted.
    case noMemory

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .tooLarge(let bytes, let limit):
            .init(
                "pageTooLarge", .malformed,
                "the page has \(bytes) bytes, more than \(limit / 1_048_576) MiB; save only the part with the markup")
        case .notHTML(let contentType):
            .init("notHTML", .malformed, "cannot read \(contentType) as a web page; use an HTML page")
        case .noLibrary: .init("noHTMLLibrary", .unavailable, "libxml2 is missing; install libxml2")
        case .noMemory: .init("noMemory", .locked, "out of memory for the page; use a smaller one")
        }
    }
}

/// A warning about ignored markup.
public struct MarkupWarning: Hashable, Sendable {
    /// The line of the page, from 1; `nil` if the warning concerns the whole page.
    public let line: Int?
    /// The problem.
    public let message: String

    /// Creates a warning.
    public init(line: Int?, message: String) {
        self.line = line
        self.message = message
    }
}

extension MarkupWarning: CustomStringConvertible {
    /// The line and the problem.
    public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
