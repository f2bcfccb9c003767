#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A place on the earth, in degrees of WGS 84, always within range.
public struct Coordinate: Hashable, Sendable {
    /// Kilometres of the mean radius of the earth (IUGG, 2a + b over 3).
    public static let earthRadius = 6_371.0088

    /// Degrees north, −90…90.
    public let latitude: Double
    /// Degrees east, −180…180.
    public let longitude: Double

    /// A place at these degrees.
    ///
    /// - Throws: `AirportsError.latitudeOutOfRange` or `.longitudeOutOfRange`, also for what is no number.
    public init(latitude: Double, longitude: Double) throws(AirportsError) {
        guard (-90.0...90.0).contains(latitude) else { throw .latitudeOutOfRange(Self.text(latitude)) }
        guard (-180.0...180.0).contains(longitude) else { throw .longitudeOutOfRange(Self.text(longitude)) }
        self.latitude = latitude
        self.longitude = longitude
    }

    private init(unchecked latitude: Double, _ longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? String(Int(value)) : String(value)
    }

    // MARK: - Text

    /// Reads `LATITUDE,LONGITUDE` in decimal degrees, such as `-33.9,18.4`; spaces around the comma are allowed.
    ///
    /// - Throws: `AirportsError.notACoordinate` for anything else, `.latitudeOutOfRange` and `.longitudeOutOfRange`.
    public static func parse(_ text: String) throws(AirportsError) -> Coordinate {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = degrees(parts[0]), let longitude = degrees(parts[1]) else {
            throw .notACoordinate(text)
        }
        return try Coordinate(latitude: latitude, longitude: longitude)
    }

    /// A plain decimal: `Double` itself would also take `nan`, `inf`, `0x1p3` and `1e3`.
    private static func degrees(_ part: Substring) -> Double? {
        var part = part.drop { $0 == " " }
        while part.last == " " { part.removeLast() }
        // The minus sign of typography is a minus as well.
        if part.first == "\u{2212}" { part = "-" + part.dropFirst() }
        guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }) else {
            return nil
        }
        return Double(part)
    }

    // MARK: - Distance

    /// Kilometres along the great circle to another place, on a sphere of the mean radius (haversine formula).
    ///
    /// The earth is no sphere: up to about half a per cent off.
    public func distance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let sineLatitude = sin((other.latitude - latitude) * radians / 2)
        let sineLongitude = sin((other.longitude - longitude) * radians / 2)
        let haversine =
            sineLatitude * sineLatitude
            + cos(latitude * radians) * cos(other.latitude * radians) * sineLongitude * sineLongitude
        return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
    }

    // MARK: - Rounding

    /// The place to about three kilometres, for what leaves the program or is stored.
    ///
    /// Latitude is rounded to a fortieth of a degree (2.78 km). Each of these parallels is divided into as many equal
    /// parts as keep them at least that long, an even number from the Greenwich meridian on, and longitude is rounded
    /// to one; it is given to four decimals. So a place moves by less than two kilometres, all places of a cell become
    /// the same one, near the poles as well, and rounding again changes nothing.
    public var rounded: Coordinate {
        let step = 0.025
        let row = (latitude / step).rounded()
        let roundedLatitude = (row * step * 1_000).rounded() / 1_000
        let parts = max(1, 2 * (180 / step * cos(roundedLatitude * .pi / 180) + 1e-6).rounded(.down))
        var column = (longitude / 360 * parts).rounded()
        // The antimeridian has two names; −180 is the one we use.
        if column * 2 >= parts { column -= parts } else if column * 2 < -parts { column += parts }
        let roundedLongitude = (column * 360 / parts * 10_000).rounded() / 10_000
        // Minus zero would print a sign.
        return Coordinate(unchecked: roundedLatitude + 0, roundedLongitude + 0)
    }
}
