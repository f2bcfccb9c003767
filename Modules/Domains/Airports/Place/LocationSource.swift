import CSwitchboardGeoClue
import Dispatch

/// Where this machine is: the live source asks GeoClue over the system bus, a test gives a place of its own.
public struct LocationSource: Sendable {
    /// Asks for the place once.
    ///
    /// Throws `AirportsError.locationUnreachable` or `.locationRefused`.
    public var locate: @Sendable () async throws -> Coordinate

    /// A source that asks as `locate` does.
    public init(locate: @escaping @Sendable () async throws -> Coordinate) {
        self.locate = locate
    }

    /// GeoClue 2 on the system bus, to the accuracy of a city, waiting at most `timeout`.
    ///
    /// GeoClue asks its own agent whether the program named by `desktopID` may know.
    ///
    /// - Parameters:
    ///   - bus: The address of another bus, where GeoClue is not on the system's.
    ///   - desktopID: The name of the program, as its desktop entry has it.
    ///   - timeout: How long the answer may take.
    public static func geoClue(
        bus: String? = nil, desktopID: String = "switchboard", timeout: Duration = .seconds(10)
    ) -> LocationSource {
        LocationSource {
            // The bus is waited for on a thread that may block, not on one that tasks run on.
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Result { try GeoClue.locate(bus, desktopID, timeout) })
                }
            }
        }
    }

    /// A source that always gives this place.
    public static func fixed(_ place: Coordinate) -> LocationSource {
        LocationSource { place }
    }

    /// A source on a machine without a location service.
    public static let unavailable = LocationSource {
        throw AirportsError.locationUnreachable("there is none")
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
        let message = String(unsafeUninitializedCapacity: size) { buffer in
            buffer.initialize(repeating: 0)
            buffer.withMemoryRebound(to: CChar.self) { text in
                status = sb_geoclue_locate(bus, desktopID, microseconds, &place, text.baseAddress, UInt64(size))
            }
            return buffer.firstIndex(of: 0) ?? 0
        }
        switch status {
        case SB_GEOCLUE_FOUND:
            guard let found = try? Coordinate(latitude: place.latitude, longitude: place.longitude) else {
                throw .locationUnreachable("GeoClue gave \(place.latitude), \(place.longitude), which is no place")
            }
            return found
        case SB_GEOCLUE_NO_BUS: throw .locationUnreachable("no system bus: \(message)")
        case SB_GEOCLUE_NO_SERVICE: throw .locationUnreachable("no GeoClue on the system bus: \(message)")
        case SB_GEOCLUE_NO_LIBRARY: throw .locationUnreachable("libsystemd is missing; install libsystemd0")
        case SB_GEOCLUE_DENIED: throw .locationRefused(message)
        case SB_GEOCLUE_TIMED_OUT: throw .locationUnreachable("GeoClue gave no place in time")
        default: throw .locationUnreachable(message)
        }
    }
}
