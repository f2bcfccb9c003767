#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Distances on the Earth.
package enum GreatCircle {
    /// The mean radius of the Earth in kilometers (IUGG, (2a + b) / 3).
    package static let earthRadius = 6_371.0088

    /// Returns the great-circle distance between two points in kilometers, on a sphere of the mean radius (haversine
    /// formula).
    ///
    /// The Earth is not a sphere, so the result may be off by up to half a percent.
    package static func distance(
        from one: (latitude: Double, longitude: Double), to other: (latitude: Double, longitude: Double)
    ) -> Double {
        let radians = Double.pi / 180
        let sineLatitude = sin((other.latitude - one.latitude) * radians / 2)
        let sineLongitude = sin((other.longitude - one.longitude) * radians / 2)
        let haversine =
            sineLatitude * sineLatitude
            + cos(one.latitude * radians) * cos(other.latitude * radians) * sineLongitude * sineLongitude
        return 2 * earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
