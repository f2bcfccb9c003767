import CSwitchboardGeoClue
import Dispatch

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
