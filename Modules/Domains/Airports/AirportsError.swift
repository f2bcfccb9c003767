@_exported public import SwitchboardErrors

/// An error of the airports module.
public enum AirportsError: CodedError, Equatable {
    /// A text that is not `LATITUDE,LONGITUDE` in decimal degrees.
    case notACoordinate(String)
    /// A latitude outside −90…90 degrees, as given.
    case latitudeOutOfRange(String)
    /// A longitude outside −180…180 degrees, as given.
    case longitudeOutOfRange(String)
    /// A radius that is negative or not finite, in kilometers.
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

    /// The code, the category and the message.
    public var details: ErrorDetails {
        switch self {
        case .notACoordinate(let text):
            .init(
                "notACoordinate", .usage,
                "cannot read the place “\(text)”; use latitude,longitude in degrees, such as 59.93,30.33, or the name or code of a "
                    + "city or airport")
        case .latitudeOutOfRange(let value):
            .init("latitudeOutOfRange", .usage, "latitude \(value) is not between -90 and 90 degrees")
        case .longitudeOutOfRange(let value):
            .init("longitudeOutOfRange", .usage, "longitude \(value) is not between -180 and 180 degrees")
        case .radiusOutOfRange(let value):
            .init("radiusOutOfRange", .usage, "radius \(value) is out of range; use 0 or more kilometres")
        case .negativeLimit(let limit):
            .init("negativeLimit", .usage, "limit \(limit) is negative; use 0 for all")
        case .unknownCode(let code):
            .init("unknownCode", .notFound, "no airport or city has the code “\(code)”")
        case .malformedSnapshot(let reason):
            .init(
                "malformedInput", .malformed,
                "cannot use the snapshot of popular airports (\(reason)); the list in use is unchanged")
        case .locationUnreachable(let reason):
            .init("locationUnreachable", .unavailable, "cannot reach the location service (\(reason))")
        case .locationRefused(let reason):
            .init("locationRefused", .access, "the location service denied access (\(reason)); allow it there")
        case .noStorage: .init("noStorage", .missing, "no database is open; open one to store choices")
        }
    }
}
