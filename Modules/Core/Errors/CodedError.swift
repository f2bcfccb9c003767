// FoundationEssentials has LocalizedError without the data for internationalization that Foundation loads.

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error with a stable code, a category and a message for the user.
///
/// Every public error of Switchboard conforms to this protocol, so an app can handle unexpected errors in one place.
/// `localizedDescription` is the ``message``. For example:
///
/// ```swift
/// func report(_ error: any CodedError) -> String {
///     switch error.category {
///     case .locked, .unavailable: "Try again later: \(error.message)"
///     case .internalError: "Please report this (\(error.code)): \(error.message)"
///     default: error.message
///     }
/// }
/// ```
public protocol CodedError: LocalizedError, CustomStringConvertible {
    /// The code, the category, the message and the location.
    var details: ErrorDetails { get }
}

extension CodedError {
    /// The stable code, such as "newerSchema", for programs and JSON.
    public var code: String { details.code }

    /// The kind of failure.
    public var category: ErrorCategory { details.category }

    /// The problem and, where possible, its remedy, in one line without a final period.
    public var message: String { details.message }

    /// The same as ``message``.
    public var description: String { message }

    /// The same as ``message``.
    public var errorDescription: String? { message }

    // The defaults of LocalizedError, so that a module can conform without importing Foundation.

    /// Nil; the ``message`` has the reason.
    public var failureReason: String? { nil }

    /// Nil; the ``message`` has the remedy.
    public var recoverySuggestion: String? { nil }

    /// Nil.
    public var helpAnchor: String? { nil }
}

/// The kind of a failure, which determines the exit status or the HTTP status.
public enum ErrorCategory: String, Sendable, CaseIterable {
    /// The request is not valid.
    case usage
    /// The input is not valid.
    case malformed
    /// The object does not exist.
    case notFound
    /// The file to read does not exist.
    case missing
    /// A server, a service or a library is not available.
    case unavailable
    /// Reading or writing failed.
    case io
    /// Something else is in progress; trying again may help.
    case locked
    /// The user or a service denied access, or has not been asked yet.
    case access
    /// The caller cancelled the operation.
    case cancelled
    /// A bug in the program.
    case internalError
}

/// The details of an error.
public struct ErrorDetails: Sendable, Hashable {
    /// The stable code for programs and JSON.
    public var code: String
    /// The kind of failure.
    public var category: ErrorCategory
    /// The problem and, where possible, its remedy, in one line.
    public var message: String
    /// The file that the error is about, if any.
    public var file: String?
    /// The line in that file, from 1.
    public var line: Int?
    /// The column in that line, or in the text, from 1.
    public var column: Int?
    /// The field of an object that the error is about, by its name in JSON, such as "givenName"; nil if there is none.
    public var field: String?

    /// Creates the details of an error.
    public init(
        _ code: String, _ category: ErrorCategory, _ message: String, file: String? = nil, line: Int? = nil,
        column: Int? = nil, field: String? = nil
    ) {
        (self.code, self.category, self.message) = (code, category, message)
        (self.file, self.line, self.column, self.field) = (file, line, column, field)
    }
}

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

/// The maximum sizes of input from users and programs, in bytes of UTF-8.
///
/// Searches read all texts of an object, and lists contain them, so one huge field would make both slow.
public enum SizeLimit {
    /// The maximum size of a name and of other short fields: 1 KiB.
    public static let name = 1 << 10
    /// The maximum size of a web address: 8 KiB.
    public static let url = 8 << 10
    /// The maximum size of a note or a description: 64 KiB.
    public static let note = 64 << 10
    /// The maximum size of all texts of an object: 1 MiB.
    public static let object = 1 << 20
    /// The maximum number of elements of a list, such as the phone numbers of a contact.
    public static let elements = 1_000
}

extension ErrorDetails {
    /// Returns the details of an error about a field that is too long.
    ///
    /// - Parameters:
    ///   - name: The display name of the field.
    ///   - limit: The maximum size in bytes.
    ///   - field: The name of the field in JSON; nil for the whole object.
    package static func tooLong(_ name: String, limit: Int, field: String?) -> ErrorDetails {
        ErrorDetails("tooLong", .usage, "\(name): longer than \(size(limit)); shorten it", field: field)
    }

    /// Returns the details of an error about a list with too many elements.
    package static func tooMany(_ name: String, limit: Int, field: String?) -> ErrorDetails {
        ErrorDetails("tooMany", .usage, "\(name): more than \(limit) entries; remove some", field: field)
    }

    /// Returns the details of an error about a text that contains U+0000. SQLite would truncate the text there.
    package static func nulText(_ name: String, field: String?) -> ErrorDetails {
        ErrorDetails("nulText", .usage, "\(name): \(nulReason)", field: field)
    }

    /// The message for a text that contains U+0000: the problem and its remedy.
    package static let nulReason = "contains the character U+0000; remove it"

    /// Returns a size as shown to users: "64 KiB".
    package static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}

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
