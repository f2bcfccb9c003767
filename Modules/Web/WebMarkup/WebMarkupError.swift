/// Why a page could not be read, and what to do next.
///
/// Markup that is broken is no error: what is good on the page is read, and a ``MarkupWarning`` names what is not.
public enum WebMarkupError: Error, Hashable, Sendable {
    /// The page has more bytes than are read.
    case tooLarge(bytes: Int, limit: Int)
    /// What was fetched says that it is something else than HTML.
    case notHTML(contentType: String)
    /// libxml2 is not installed.
    case noLibrary
    /// There is no memory for the page.
    case noMemory
}

extension WebMarkupError: CustomStringConvertible {
    /// A stable name of the error for programs and JSON.
    public var code: String {
        switch self {
        case .tooLarge: "pageTooLarge"
        case .notHTML: "notHTML"
        case .noLibrary: "noHTMLLibrary"
        case .noMemory: "noMemory"
        }
    }

    /// One line: what happened, and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let bytes, let limit):
            "the page has \(bytes) bytes, more than the \(limit / 1_048_576) MiB that are read; save the part with the markup"
        case .notHTML(let contentType): "this is \(contentType), no web page; give the address of an HTML page"
        case .noLibrary: "nothing to read web pages with is installed; install libxml2"
        case .noMemory: "there is no memory for the page; give a smaller one"
        }
    }
}

/// Something on a page that was passed over, and why.
public struct MarkupWarning: Hashable, Sendable {
    /// The line of the page, from 1; nil if it is about the page as a whole.
    public let line: Int?
    /// What is wrong there.
    public let message: String

    /// Makes a warning.
    public init(line: Int?, message: String) {
        self.line = line
        self.message = message
    }
}

extension MarkupWarning: CustomStringConvertible {
    /// One line: where, and what.
    public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
