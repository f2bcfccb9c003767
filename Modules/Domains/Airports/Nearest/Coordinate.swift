import CSwitchboardDBus
import Dispatch
import SwitchboardAlgorithms

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A valid location on Earth, in degrees of WGS 84.
public struct Coordinate: Hashable, Sendable {
    /// The mean radius of the Earth in kilometers (IUGG, (2a + b) / 3).
    public static let earthRadius = GreatCircle.earthRadius

    /// Degrees north, −90…90.
    public let latitude: Double
    /// Degrees east, −180…180.
    public let longitude: Double

    /// Creates a location.
    ///
    /// - Throws: `AirportsError.latitudeOutOfRange` or `.longitudeOutOfRange`, also for NaN.
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

    /// Parses `LATITUDE,LONGITUDE` in decimal degrees, such as `-33.9,18.4`. Spaces around the comma are allowed.
    ///
    /// - Throws: `AirportsError.notACoordinate`, `.latitudeOutOfRange` or `.longitudeOutOfRange`.
    public init(parsing text: String) throws(AirportsError) {
        // A space is enough between two numbers.
        let parts =
            text.contains(",")
            ? text.split(separator: ",", omittingEmptySubsequences: false) : text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 2, let latitude = Self.degrees(parts[0]), let longitude = Self.degrees(parts[1]) else {
            throw .notACoordinate(text)
        }
        try self.init(latitude: latitude, longitude: longitude)
    }

    /// Parses a plain decimal; `Double` itself would also accept `nan`, `inf`, `0x1p3` and `1e3`.
    private static func degrees(_ part: Substring) -> Double? {
        var part = part.drop { $0 == " " }
        while part.last == " " { part.removeLast() }
        // Accept the typographic minus sign.
        if part.first == "\u{2212}" { part = "-" + part.dropFirst() }
        guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }) else {
            return nil
        }
        return Double(part)
    }

    // MARK: - Distance

    /// Returns the great-circle distance to another location in kilometers, on a sphere of the mean radius (haversine
    /// formula).
    ///
    /// The Earth is not a sphere, so the result may be off by up to half a percent.
    public func distance(to other: Coordinate) -> Double {
        GreatCircle.distance(from: (latitude, longitude), to: (other.latitude, other.longitude))
    }

    // MARK: - Rounding

    /// The location rounded to about three kilometers, for storing it or passing it to other programs.
    ///
    /// Latitude is rounded to a fortieth of a degree (2.78 km). Each parallel is divided, from the Greenwich meridian
    /// on, into the largest even number of equal parts that are at least that long. Longitude is rounded to one of
    /// them, to four decimals. A location moves by less than two kilometers, all locations of a cell are rounded to the
    /// same one, even near the poles, and rounding is idempotent.
    public var rounded: Coordinate {
        let step = 0.025
        let row = (latitude / step).rounded()
        let roundedLatitude = (row * step * 1_000).rounded() / 1_000
        let parts = max(1, 2 * (180 / step * cos(roundedLatitude * .pi / 180) + 1e-6).rounded(.down))
        var column = (longitude / 360 * parts).rounded()
        // The antimeridian is both 180 and −180; use −180.
        if column * 2 >= parts { column -= parts } else if column * 2 < -parts { column += parts }
        let roundedLongitude = (column * 360 / parts * 10_000).rounded() / 10_000
        // Avoid negative zero, which would print a sign.
        return Coordinate(unchecked: roundedLatitude + 0, roundedLongitude + 0)
    }
}

// MARK: - The location of this machine

// Each `unsafe` is safe because the C code stays within the size of the buffer that it is given, and the buffer is
// initialized.

/// A source of this machine's location: GeoClue over the system bus, or a fixed location in tests.
public struct LocationSource: Sendable {
    /// Requests the location once.
    ///
    /// Throws `AirportsError.locationUnreachable` or `.locationRefused`.
    public var locate: @Sendable () async throws -> Coordinate

    /// Creates a source from a closure.
    public init(locate: @escaping @Sendable () async throws -> Coordinate) {
        self.locate = locate
    }

    /// Returns a source that queries GeoClue 2 with the accuracy of a city.
    ///
    /// GeoClue's own agent decides whether the program named by `desktopID` has access.
    ///
    /// - Parameters:
    ///   - bus: The address of a D-Bus bus; nil for the system bus.
    ///   - desktopID: The name of the program's desktop entry.
    ///   - timeout: The timeout of the request.
    public static func geoClue(
        bus: String? = nil, desktopID: String = "switchboard", timeout: Duration = .seconds(10)
    ) -> LocationSource {
        LocationSource {
            // Wait on a thread that may block, not on the cooperative pool.
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Result { try GeoClue.locate(bus, desktopID, timeout) })
                }
            }
        }
    }

    /// Returns a source that always reports this location.
    public static func fixed(_ place: Coordinate) -> LocationSource {
        LocationSource { place }
    }

    /// A source for machines without a location service.
    public static let unavailable = LocationSource {
        throw AirportsError.locationUnreachable("no location service")
    }
}

private enum GeoClue {
    static func locate(_ bus: String?, _ desktopID: String, _ timeout: Duration) throws(AirportsError) -> Coordinate {
        var place = sb_geoclue_place()
        let size = 256
        let (seconds, attoseconds) = timeout.components
        let microseconds =
            UInt64(clamping: min(seconds, 3_600)) * 1_000_000 + UInt64(clamping: attoseconds / 1_000_000_000_000)
        var status = SB_GEOCLUE_FAILED
        let message = unsafe String(unsafeUninitializedCapacity: size) { buffer in
            unsafe buffer.initialize(repeating: 0)
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                status = unsafe sb_geoclue_locate(bus, desktopID, microseconds, &place, text.baseAddress, UInt64(size))
            }
            return unsafe buffer.firstIndex(of: 0) ?? 0
        }
        switch status {
        case SB_GEOCLUE_FOUND:
            guard let found = try? Coordinate(latitude: place.latitude, longitude: place.longitude) else {
                throw .locationUnreachable(
                    "GeoClue returned invalid coordinates: \(place.latitude), \(place.longitude)")
            }
            return found
        case SB_GEOCLUE_NO_BUS: throw .locationUnreachable("no system bus: \(message)")
        case SB_GEOCLUE_NO_SERVICE: throw .locationUnreachable("no GeoClue on the system bus: \(message)")
        case SB_GEOCLUE_NO_LIBRARY: throw .locationUnreachable("libsystemd is missing; install libsystemd0")
        case SB_GEOCLUE_DENIED: throw .locationRefused(message)
        case SB_GEOCLUE_TIMED_OUT: throw .locationUnreachable("GeoClue timed out")
        default: throw .locationUnreachable(message)
        }
    }
}

extension Coordinate {
    /// The former name of ``init(parsing:)``.
    @available(*, deprecated, renamed: "Coordinate(parsing:)")
    public static func parse(_ text: String) throws(AirportsError) -> Coordinate { try Coordinate(parsing: text) }
}
