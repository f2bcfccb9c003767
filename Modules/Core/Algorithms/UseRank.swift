import Foundation

/// A rank by use: the logarithm of a count that halves every thirty days.
///
/// The logarithm does not depend on the current time, so an order by rank needs no updates.
package enum UseRank {
    /// The half-life of a use in seconds.
    package static let halfLife = 30.0 * 86_400

    /// Returns the rank for a number of uses and the time of the last one, in seconds since 1970.
    package static func rank(count: Int, last: Double) -> Double {
        count > 0 ? log2(Double(count)) + last / halfLife : -.infinity
    }
}
