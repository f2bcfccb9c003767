import Synchronization

/// Counters of the use of journals since the start of the process.
package final class ClusterMetrics: Sendable {
    /// The counted events.
    package struct Counts: Sendable {
        /// Look-ups of the end of a journal.
        package var heads = 0
        /// Entries that this server has appended.
        package var appends = 0
        /// Entries that another server's entry has preceded.
        package var conflicts = 0
        /// Entries of other servers that were fetched because copies lagged behind.
        package var fetchedEntries = 0
        /// Copies that were built from an image because they were missing or did not fit.
        package var cacheMisses = 0
        /// Statements that failed, even if a later attempt succeeded.
        package var failures = 0
    }

    private let mutex = Mutex(Counts())

    /// The current counts.
    package var counts: Counts { mutex.withLock { $0 } }

    func add(_ counter: WritableKeyPath<Counts, Int>, _ count: Int = 1) {
        mutex.withLock { $0[keyPath: counter] += count }
    }
}
