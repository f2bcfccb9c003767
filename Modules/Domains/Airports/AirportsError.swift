/// An error of the airports module.
public enum AirportsError: Error, Equatable, Sendable {
    /// The category of an error, for an exit status or an HTTP status.
    public enum Category: Sendable {
        /// An invalid argument: exit 64, HTTP 400.
        case usage
        /// A malformed snapshot: exit 65, HTTP 422.
        case malformed
        /// An unknown code: exit 1, HTTP 404.
        case notFound
        /// The location service did not respond: exit 69, HTTP 503.
        case unreachable
        /// The location service denied access: exit 77, HTTP 403.
        case access
        /// The operation needs a database: exit 66.
        case inputMissing
    }

    /// A text that is not `LATITUDE,LONGITUDE` in decimal degrees.
    case notACoordinate(String)
    /// A latitude outside −90…90 degrees, as given.
    case latitudeOutOfRange(String)
    /// A longitude outside −180…180 degrees, as given.
    case longitudeOutOfRange(String)
    /// A radius that is negative or not finite, in kilometres.
    case radiusOutOfRange(String)
    /// A negative limit.
    case negativeLimit(Int)
    /// No airport or city has this code.
    case unknownCode(String)
    /// An unusable popular list, and the reason. The list in use is unchanged.
    case malformedSnapshot(String)
    /// The location service is unreachable or timed out, and the reason.
    case locationUnreachable(String)
    /// The location service denied access, and the reason.
    case locationRefused(String)
    /// The airports were created without storage.
    case noStorage

    /// The category of this error.
    public var category: Category {
        switch self {
        case .notACoordinate, .latitudeOutOfRange, .longitudeOutOfRange, .radiusOutOfRange, .negativeLimit: .usage
        case .malformedSnapshot: .malformed
        case .unknownCode: .notFound
        case .locationUnreachable: .unreachable
        case .locationRefused: .access
        case .noStorage: .inputMissing
        }
    }
}

extension AirportsError: CustomStringConvertible {
    /// The problem and its remedy in one line.
    public var description: String {
        switch self {
        case .notACoordinate(let text):
            "cannot read the coordinates “\(text)”; use latitude,longitude in degrees, such as 59.93,30.33"
        case .latitudeOutOfRange(let value):
            "latitude \(value) is not between -90 and 90 degrees"
        case .longitudeOutOfRange(let value):
            "longitude \(value) is not between -180 and 180 degrees"
        case .radiusOutOfRange(let value):
            "radius \(value) is out of range; use 0 or more kilometres"
        case .negativeLimit(let limit):
            "limit \(limit) is negative; use 0 for all"
        case .unknownCode(let code):
            "no airport or city has the code “\(code)”"
        case .malformedSnapshot(let reason):
            "cannot use the snapshot of popular airports (\(reason)); the list in use is unchanged"
        case .locationUnreachable(let reason):
            "cannot reach the location service (\(reason))"
        case .locationRefused(let reason):
            "the location service denied access (\(reason)); allow it there"
        case .noStorage:
            "no database is open; open one to store choices"
        }
    }
}
