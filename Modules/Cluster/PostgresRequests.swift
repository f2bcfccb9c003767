package import SwitchboardStorage
import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The recent requests with a key that have changed a journal, and the responses to them.
package struct PostgresRequests: Sendable {
    private let pool: PostgresPool

    /// Creates access to a database with the tables of ``ClusterSchema``.
    package init(_ pool: PostgresPool) { self.pool = pool }

    /// The response to a request.
    package struct Response: Sendable, Hashable {
        /// The HTTP status.
        package let status: Int
        /// The header fields, one per line.
        package let fields: String
        package let body: Data

        package init(status: Int, fields: String, body: Data) {
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    /// The state of a request.
    package enum State: Sendable, Hashable {
        /// No server has changed anything for it.
        case new
        /// The key belongs to another request.
        case otherContent
        /// The change was made. The response is missing if the server stopped before it responded.
        case handled(Response?)
    }

    /// Returns the state of a request.
    package func state(of request: RepeatableRequest) throws(StorageError) -> State {
        try pool.run { connection throws(PostgresFailure) in
            let rows = try connection.execute(
                "SELECT content, status, fields, body FROM switchboard.request_key WHERE key = $1",
                [.text(request.key)])
            guard rows.rowCount == 1 else { return State.new }
            guard rows.text(0, 0) == request.content else { return .otherContent }
            guard let status = rows.integer(0, 1), let fields = rows.text(0, 2), let body = rows.bytes(0, 3) else {
                return .handled(nil)
            }
            return .handled(Response(status: Int(status), fields: fields, body: body))
        }
    }

    /// Stores the response to a request whose key is stored.
    package func store(_ response: Response, of request: RepeatableRequest) throws(StorageError) {
        try pool.run { connection throws(PostgresFailure) in
            _ = try connection.execute(
                "UPDATE switchboard.request_key SET status = $2::bigint, fields = $3, body = $4 WHERE key = $1",
                [.text(request.key), .integer(Int64(response.status)), .text(response.fields), .bytes(response.body)])
        }
    }

    /// Deletes the keys of requests that are older than a day.
    package func removeOld() throws(StorageError) {
        try pool.run { connection throws(PostgresFailure) in
            try connection.execute(
                script: "DELETE FROM switchboard.request_key WHERE stored_at < now() - interval '1 day'")
        }
    }
}

/// A request that its sender may send again, to any server, with the same key.
///
/// While a request is ``current``, the first change that is appended to a journal stores its key in the same statement.
/// If several servers handle the request, only one of them can therefore change something.
package final class RepeatableRequest: Sendable {
    /// The request that the current task handles.
    @TaskLocal package static var current: RepeatableRequest?

    /// The key, unique among the requests of all people.
    let key: String
    /// A hash of the request.
    let content: String
    private let stored = Atomic<Bool>(false)

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - key: The key, unique among the requests of all people.
    ///   - content: A hash that identifies another request with the same key.
    package init(key: String, content: String) {
        self.key = key
        self.content = content
    }

    /// `true` once a change of the request is durable, and its key with it.
    package var isStored: Bool { stored.load(ordering: .acquiring) }

    func markStored() { stored.store(true, ordering: .releasing) }
}
