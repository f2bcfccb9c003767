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
