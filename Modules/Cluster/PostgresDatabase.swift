import GRDB
import Glibc
package import SwitchboardStorage
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tables of modules in PostgreSQL.
package struct PostgresDatabase: SQLDatabase {
    private let pool: PostgresPool

    /// Creates access to a database with the tables of ``ClusterSchema`` and of the modules.
    package init(_ pool: PostgresPool) { self.pool = pool }

    package func reading<T>(_ body: (any SQLTransaction) throws -> T) throws -> T {
        try pool.runShared { pooled throws(PostgresFailure) in
            try PostgresTransaction(pooled, isReadOnly: true).result { try body($0) }
        }.get()
    }

    /// Writes in one serializable transaction.
    ///
    /// If the connection is lost during the commit, the transaction is looked up by its identifier, and repeated only
    /// if it was not committed.
    package func writing<T>(changing module: String?, _ body: (any SQLTransaction) throws -> T) throws -> T {
        let id = UUID()
        var attempted: Result<T, any Error>?
        var violations = 0
        let (result, hasChanged) = try pool.runShared { pooled throws(PostgresFailure) in
            if let attempted, try pooled.connection.hasCommitted(id) { return (attempted, true) }
            do throws(PostgresFailure) {
                // The identifier comes first: it waits for an attempt that is still being committed.
                try pooled.connection.execute(script: "BEGIN ISOLATION LEVEL SERIALIZABLE")
                _ = try pooled.connection.execute(
                    "INSERT INTO switchboard.recent_transaction (id) VALUES ($1)", [.uuid(id)])
                let transaction = PostgresTransaction(pooled)
                let result = try transaction.result { try body($0) }
                guard case .success = result, transaction.hasChanged else {
                    try pooled.connection.execute(script: "ROLLBACK")
                    return (result, false)
                }
                attempted = result
                _ = try pooled.connection.execute("COMMIT", [])
                return (result, true)
            } catch {
                var error = error
                // Like a conflict, a violation may be due to a concurrent transaction.
                if error.isConstraintViolation {
                    violations += 1
                    if violations <= 3 || attempted != nil { error.state = "40001" }
                }
                throw error
            }
        }
        if hasChanged, let module { advanceGeneration(of: module) }
        return try result.get()
    }

    /// Advances a generation after the change, which readers of the new generation must see.
    ///
    /// Inside the transaction of the change, it would conflict with every other change. A failure is ignored: the
    /// change is durable, and generations only make it take effect sooner.
    private func advanceGeneration(of module: String) {
        try? pool.run { connection throws(PostgresFailure) in
            _ = try connection.execute(
                """
                INSERT INTO switchboard.generation (module, generation) VALUES ($1, 1)
                ON CONFLICT (module) DO UPDATE SET generation = generation.generation + 1
                """, [.text(module)])
        }
    }

    package func generation(of module: String) throws(StorageError) -> Int64 {
        try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                "SELECT generation FROM switchboard.generation WHERE module = $1", [.text(module)])
            return rows.integer(0, 0) ?? 0
        }
    }

    /// Deletes the identifiers of transactions whose servers no longer ask for them.
    package func removeOldTransactions() throws(StorageError) {
        try pool.run { connection throws(PostgresFailure) in
            try connection.execute(
                script: "DELETE FROM switchboard.recent_transaction WHERE started_at < now() - interval '1 day'")
        }
    }
}

extension PostgresConnection {
    /// Returns `true` if a transaction was committed. The update waits until the standby has it.
    fileprivate mutating func hasCommitted(_ id: UUID) throws(PostgresFailure) -> Bool {
        try execute(
            "UPDATE switchboard.recent_transaction SET started_at = started_at WHERE id = $1 RETURNING id", [.uuid(id)]
        ).rowCount == 1
    }
}

private final class PostgresTransaction: SQLTransaction {
    private let pooled: PooledConnection
    private let isReadOnly: Bool
    private(set) var hasChanged = false

    init(_ pooled: PooledConnection, isReadOnly: Bool = false) {
        self.pooled = pooled
        self.isReadOnly = isReadOnly
    }

    /// Returns the result of `body`, and throws the failures of its statements.
    func result<T>(_ body: (PostgresTransaction) throws -> T) throws(PostgresFailure) -> Result<T, any Error> {
        do {
            return .success(try body(self))
        } catch let failure as PostgresFailure {
            throw failure
        } catch {
            return .failure(error)
        }
    }

    func rows(_ sql: String, _ arguments: Arguments) throws -> [any SQLRow] {
        let result = try pooled.connection.execute(Self.statement(sql), arguments.map(PostgresValue.init))
        return (0..<result.rowCount).map { row in
            PostgresRow(columns: (0..<result.columnCount).map { result.bytes(row, $0) })
        }
    }

    func execute(_ sql: String, _ arguments: Arguments) throws -> Int {
        if isReadOnly { throw StorageError.writeInRead }
        let count = try pooled.connection.execute(Self.statement(sql), arguments.map(PostgresValue.init))
            .changedRowCount
        if count > 0 { hasChanged = true }
        return count
    }

    /// Returns a statement with parameters in PostgreSQL's syntax.
    private static func statement(_ sql: String) -> String {
        String(decoding: sql.utf8.map { $0 == UInt8(ascii: "?") ? UInt8(ascii: "$") : $0 }, as: UTF8.self)
    }
}

extension PostgresValue {
    fileprivate init(_ value: (any DatabaseValueConvertible)?) {
        self =
            switch value?.databaseValue.storage {
            case nil, .null: .null
            case .int64(let number): .integer(number)
            case .double(let number): .real(number)
            case .string(let text): .text(text)
            case .blob(let data): .bytes(data)
            }
    }
}

/// The values of a row in PostgreSQL's binary format.
private struct PostgresRow: SQLRow {
    let columns: [Data?]

    private func bytes(_ column: Int) throws -> Data {
        guard columns.indices.contains(column), let bytes = columns[column] else {
            throw PostgresFailure(message: "a column has an unexpected type", state: "42804")
        }
        return bytes
    }

    func data(_ column: Int) throws -> Data { try bytes(column) }

    func optionalData(_ column: Int) throws -> Data? { try isNull(column) ? nil : bytes(column) }

    func text(_ column: Int) throws -> String { String(decoding: try bytes(column), as: UTF8.self) }

    func optionalText(_ column: Int) throws -> String? { try isNull(column) ? nil : text(column) }

    func integer(_ column: Int) throws -> Int { Int(try bytes(column).signedInteger) }

    func optionalReal(_ column: Int) throws -> Double? {
        if try isNull(column) { return nil }
        let bytes = try bytes(column)
        return bytes.count == 8 ? Double(bitPattern: UInt64(bitPattern: bytes.signedInteger)) : nil
    }

    private func isNull(_ column: Int) throws -> Bool {
        if columns.indices.contains(column), columns[column] == nil { return true }
        _ = try bytes(column)
        return false
    }
}

extension Data {
    /// The integer of one, two, four or eight bytes in network order.
    var signedInteger: Int64 {
        let bits = prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let unused = 64 - 8 * Swift.min(count, 8)
        return unused == 64 ? 0 : Int64(bitPattern: bits << unused) >> unused
    }
}

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
    fileprivate func runShared<T>(_ body: (PooledConnection) throws(PostgresFailure) -> T) throws(StorageError) -> T {
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
private final class PooledConnection: @unchecked Sendable {
    var connection: PostgresConnection

    init(_ parameters: String, preferredServer: Int) throws(PostgresFailure) {
        connection = try PostgresConnection(parameters, preferredServer: preferredServer)
        try connection.requirePrimary()
        try connection.execute(script: "SET search_path = switchboard")
    }
}
