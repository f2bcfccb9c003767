/// What can go wrong with airports; each case says, in one line, what is wrong and with which value.
public enum AirportsError: Error, Equatable, Sendable {
    /// What kind of failure it is, for an exit status or an HTTP status.
    public enum Category: Sendable {
        /// The person asked for something that cannot be: exit 64, HTTP 400.
        case usage
        /// A snapshot that is not one: exit 65, HTTP 422.
        case malformed
        /// Nothing goes by that code, or no place is known: exit 1, HTTP 404.
        case notFound
        /// The location service did not answer: exit 69, HTTP 503.
        case unreachable
        /// The location service does not let this program know: exit 77, HTTP 403.
        case access
        /// What was asked for needs a database and there is none: exit 66.
        case inputMissing
    }

    /// A text that is not `LATITUDE,LONGITUDE` in decimal degrees.
    case notACoordinate(String)
    /// A latitude outside −90…90 degrees, as it was given.
    case latitudeOutOfRange(String)
    /// A longitude outside −180…180 degrees, as it was given.
    case longitudeOutOfRange(String)
    /// A radius that is not a number of kilometres from 0 up.
    case radiusOutOfRange(String)
    /// A limit below zero.
    case negativeLimit(Int)
    /// No airport or city has this code.
    case unknownCode(String)
    /// A popular list that cannot be taken, and why. The list in use is unchanged.
    case malformedSnapshot(String)
    /// No place was set and no location service is there to tell one.
    case placeUnknown
    /// The location service cannot be reached, or did not answer in time, and why.
    case locationUnreachable(String)
    /// The location service refused this program, and why.
    case locationRefused(String)
    /// These airports were opened without a database.
    case noStorage

    /// The kind of failure.
    public var category: Category {
        switch self {
        case .notACoordinate, .latitudeOutOfRange, .longitudeOutOfRange, .radiusOutOfRange, .negativeLimit: .usage
        case .malformedSnapshot: .malformed
        case .unknownCode, .placeUnknown: .notFound
        case .locationUnreachable: .unreachable
        case .locationRefused: .access
        case .noStorage: .inputMissing
        }
    }
}

extension AirportsError: CustomStringConvertible {
    /// One line that says what is wrong and what to do next.
    public var description: String {
        switch self {
        case .notACoordinate(let text):
            "“\(text)” is not a place; write latitude and longitude in degrees, such as 59.93,30.33"
        case .latitudeOutOfRange(let value):
            "latitude \(value) is not between -90 and 90 degrees"
        case .longitudeOutOfRange(let value):
            "longitude \(value) is not between -180 and 180 degrees"
        case .radiusOutOfRange(let value):
            "radius \(value) is not a number of kilometres from 0 up"
        case .negativeLimit(let limit):
            "limit \(limit) is below zero; 0 means all"
        case .unknownCode(let code):
            "no airport or city has the code “\(code)”"
        case .malformedSnapshot(let reason):
            "the snapshot of popular airports cannot be used (\(reason)); the old list stays"
        case .placeUnknown:
            "no place is known; set one with: airports here LAT,LON"
        case .locationUnreachable(let reason):
            "the location service cannot be reached (\(reason)); set a place with: airports here LAT,LON"
        case .locationRefused(let reason):
            "the location service refused (\(reason)); allow it there, or set a place with: airports here LAT,LON"
        case .noStorage:
            "this needs a database, and none is open"
        }
    }
}
