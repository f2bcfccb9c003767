import Foundation

/// The seed of the queries: `$SWITCHBOARD_QUERY_SEED`, or 1.
///
/// Queries that someone has looked at while tuning flatter the program. `Scripts/bench search` and `Scripts/bench peers` draw a
/// new seed in each run and print it.
enum QuerySeed {
    static let current = ProcessInfo.processInfo.environment["SWITCHBOARD_QUERY_SEED"].flatMap { UInt64($0) } ?? 1
}
