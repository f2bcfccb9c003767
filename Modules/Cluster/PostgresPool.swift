import Glibc
import SwitchboardStorage
import Synchronization

/// Connections to PostgreSQL, each used by one thread at a time.
///
/// If the server cannot be reached, or changes, statements are repeated for a while.
package final class PostgresPool: Sendable {
    private let parameters: String
    private let timeout: Duration
    private let idle = Mutex<[PooledConnection]>([])
    /// The server that was found last; most connections to it succeed at once.
    private let server = Atomic<Int>(0)

    /// The number of connections that are kept while they are not used.
    private static let maximumIdle = 16

    /// Creates a pool. It connects at the first use.
    ///
    /// - Parameters:
    ///   - parameters: A connection string or URI of libpq, such as "host=a,b target_session_attrs=read-write".
    ///   - timeout: The time to wait for a server that accepts writing.
    package init(_ parameters: String, timeout: Duration = .seconds(15)) {
        self.parameters = parameters
        self.timeout = timeout
    }

    /// The numbers of statements and conflicts.
    package let metrics = ClusterMetrics()

    var idleCount: Int { idle.withLock { $0.count } }

    /// Calls `body` with a connection, and again with another one after a transient failure.
    ///
    /// `body` must have the same effect if it is called again after a call with an unknown outcome.
    ///
    /// - Throws: ``StorageError/journalUnavailable(reason:)``.
    func run<T>(_ body: (inout PostgresConnection) throws(PostgresFailure) -> T) throws(StorageError) -> T {
        try runShared { pooled throws(PostgresFailure) in try body(&pooled.connection) }
    }

    /// Calls `body` as ``run(_:)`` does, with a connection that it may share with objects that do not outlive the call.
    func runShared<T>(_ body: (PooledConnection) throws(PostgresFailure) -> T) throws(StorageError) -> T {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: timeout)
        var pause: useconds_t = 20_000
        while true {
            do throws(PostgresFailure) {
                return try runOnce(body)
            } catch {
                metrics.add(\.failures)
                guard error.isTransient, clock.now < deadline else {
                    if error.isConstraintViolation { throw .constraint(detail: error.message) }
                    throw .journalUnavailable(reason: error.message)
                }
            }
            usleep(pause)
            pause = min(pause * 2, 500_000)
        }
    }

    private func runOnce<T>(
        _ body: (PooledConnection) throws(PostgresFailure) -> T
    ) throws(PostgresFailure) -> T {
        let pooled: PooledConnection
        if let idle = idle.withLock({ $0.popLast() }) {
            pooled = idle
        } else {
            pooled = try PooledConnection(parameters, preferredServer: server.load(ordering: .relaxed))
            server.store(pooled.connection.server, ordering: .relaxed)
        }
        do throws(PostgresFailure) {
            let result = try body(pooled)
            idle.withLock { idle in
                if idle.count < PostgresPool.maximumIdle { idle.append(pooled) }
            }
            return result
        } catch {
            // The connection is closed: it may be lost, inside a transaction, or to a server that is now a standby. Other
            // connections to that server are as old.
            if error.isTransient, !error.isConflict { idle.withLock { $0.removeAll() } }
            throw error
        }
    }
}

// Sendable: a connection is in the pool or in use by the one thread that has taken it out.
final class PooledConnection: @unchecked Sendable {
    var connection: PostgresConnection

    fileprivate init(_ parameters: String, preferredServer: Int) throws(PostgresFailure) {
        connection = try PostgresConnection(parameters, preferredServer: preferredServer)
        try connection.requirePrimary()
        try connection.execute(script: "SET search_path = switchboard")
    }
}
