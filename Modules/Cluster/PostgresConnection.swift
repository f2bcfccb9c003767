import CSwitchboardPostgres
import Foundation

/// A failure of a statement or of a connection.
struct PostgresFailure: Error {
    var message: String
    /// The SQLSTATE, or empty if the server did not report the failure.
    var state = ""
    /// The connection is lost, or the server reported that a commit may not be on its standby.
    var isOutcomeUnknown = false

    /// `true` if another attempt, perhaps with another server, may succeed.
    var isTransient: Bool {
        // Connection failures, conflicts, missing resources, shutdowns, and a read-only standby.
        isOutcomeUnknown || state.isEmpty || isConflict || state == "25006"
            || ["08", "53", "57"].contains { state.hasPrefix($0) }
    }

    /// `true` if the statement or its transaction was rolled back because of another one.
    var isConflict: Bool { !isOutcomeUnknown && state.hasPrefix("40") }

    var isConstraintViolation: Bool { state.hasPrefix("23") }
}

/// A value of a statement.
enum PostgresValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case uuid(UUID?)
    case bytes(Data)
    case flag(Bool)
    case texts([String])
}

/// A connection to a PostgreSQL server. It is closed when its owner goes out of scope.
@safe struct PostgresConnection: ~Copyable {
    // Safe: used and closed only by the one owner of `self`.
    private let connection: OpaquePointer
    /// The names of prepared statements.
    private var prepared: [String: String] = [:]

    /// The index of the connected server in the connection string.
    let server: Int

    /// Connects with a connection string or URI of libpq. Blocks.
    ///
    /// - Parameter preferredServer: The index in the connection string of the server to try first.
    init(_ parameters: String, preferredServer: Int = 0) throws(PostgresFailure) {
        var failure = sb_pg_failure()
        var server = Int32(preferredServer)
        // Safe: the string is a copy that ends with NUL, and the server and the failure are local variables.
        guard let connection = unsafe sb_pg_connect(parameters, &server, &failure) else {
            throw PostgresFailure(failure)
        }
        unsafe self.connection = connection
        self.server = Int(server)
    }

    // Safe: the connection was opened by `init` and is closed only here.
    deinit { unsafe sb_pg_disconnect(connection) }

    /// Checks that the server accepts writing.
    mutating func requirePrimary() throws(PostgresFailure) {
        let isStandby = try execute("SELECT pg_is_in_recovery()", []).flag(0, 0)
        guard isStandby == false else { throw PostgresFailure(message: "the server is a standby") }
    }

    /// Executes statements without values and results.
    mutating func execute(script: String) throws(PostgresFailure) {
        var failure = sb_pg_failure()
        // Safe: the connection lives as long as `self`, the string is a copy that ends with NUL, and the result is
        // released here.
        guard let result = unsafe sb_pg_execute(connection, script, &failure) else { throw reported(failure) }
        unsafe sb_pg_free(result)
    }

    /// Executes one statement, which is prepared at its first use.
    ///
    /// - Throws: ``PostgresFailure``, also if the server has sent a warning. It sends one if a commit was not confirmed by
    ///   its standby.
    mutating func execute(_ sql: String, _ values: [PostgresValue]) throws(PostgresFailure) -> PostgresResult {
        let name = try prepare(sql)
        var failure = sb_pg_failure()
        let arguments = PostgresArguments(values)
        // PostgreSQL's limit for a value, well below the limit of libpq.
        guard arguments.size < 1 << 30 else {
            throw PostgresFailure(message: "the value is larger than a gigabyte", state: "54000")
        }
        // Safe: the connection lives as long as `self`. The arguments live during the call.
        _ = unsafe sb_pg_take_warning(connection)
        let result = unsafe arguments.withValues { values in
            unsafe sb_pg_execute_prepared(connection, name, values.baseAddress, Int32(values.count), &failure)
        }
        guard let result = unsafe result else { throw reported(failure) }
        let rows = unsafe PostgresResult(result)
        // Safe: as above.
        if unsafe sb_pg_take_warning(connection) {
            throw PostgresFailure(message: "the change was not confirmed by a standby", isOutcomeUnknown: true)
        }
        return rows
    }

    private mutating func prepare(_ sql: String) throws(PostgresFailure) -> String {
        if let name = prepared[sql] { return name }
        let name = "s\(prepared.count)"
        var failure = sb_pg_failure()
        // Safe: the connection lives as long as `self`, and the strings are copies that end with NUL.
        guard unsafe sb_pg_prepare(connection, name, sql, &failure) else { throw reported(failure) }
        prepared[sql] = name
        return name
    }

    // Safe: the connection lives as long as `self`.
    var isLost: Bool { unsafe sb_pg_is_lost(connection) }

    private func reported(_ failure: sb_pg_failure) -> PostgresFailure {
        var reported = PostgresFailure(failure)
        reported.isOutcomeUnknown = isLost
        return reported
    }
}

extension PostgresFailure {
    fileprivate init(_ failure: sb_pg_failure) {
        var failure = failure
        // Safe: the C code ends both texts with NUL.
        let message = unsafe withUnsafeBytes(of: &failure.message) { unsafe PostgresFailure.text($0) }
        let state = unsafe withUnsafeBytes(of: &failure.state) { unsafe PostgresFailure.text($0) }
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        self.init(message: line, state: state)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        // Safe: only the bytes of the buffer are read.
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// The values of a statement as libpq expects them, in one buffer.
private struct PostgresArguments {
    private var bytes: [UInt8] = []
    private var parts: [(range: Range<Int>, isBinary: Bool)?] = []

    var size: Int { bytes.count }

    init(_ values: [PostgresValue]) {
        for value in values {
            switch value {
            case .null, .uuid(nil): parts.append(nil)
            case .integer(let number): append(String(number).utf8, isBinary: false)
            case .real(let number): append("\(number)".utf8, isBinary: false)
            // In the text format, NUL would end the value.
            case .text(let text): append(text.utf8, isBinary: true)
            case .uuid(let id?): append(id.uuidString.utf8, isBinary: false)
            case .bytes(let data): append(data, isBinary: true)
            case .flag(let flag): append((flag ? "t" : "f").utf8, isBinary: false)
            case .texts(let texts):
                let elements = texts.map { text in
                    "\"" + text.flatMap { "\"\\".contains($0) ? "\\\($0)" : "\($0)" } + "\""
                }
                append("{\(elements.joined(separator: ","))}".utf8, isBinary: false)
            }
        }
    }

    private mutating func append(_ value: some Sequence<UInt8>, isBinary: Bool) {
        let start = bytes.count
        bytes += value
        parts.append((start..<bytes.count, isBinary))
        bytes.append(0)
    }

    /// Calls `body` with the values, which are only valid during the call.
    func withValues<T>(_ body: (UnsafeBufferPointer<sb_pg_value>) -> T) -> T {
        // Safe: the buffer is not empty if there is a part, and each part is inside of it.
        unsafe bytes.withUnsafeBytes { bytes in
            let values = unsafe parts.map { part in
                guard let part, let start = bytes.baseAddress else { return unsafe sb_pg_value() }
                return unsafe sb_pg_value(
                    bytes: start + part.range.lowerBound, size: Int32(part.range.count), is_binary: part.isBinary)
            }
            return unsafe values.withUnsafeBufferPointer(body)
        }
    }
}

/// The rows of a result. A value of another type, or outside of the result, is read as nil.
@safe struct PostgresResult: ~Copyable {
    private let result: OpaquePointer

    fileprivate init(_ result: OpaquePointer) { unsafe self.result = result }

    // Safe: the result is only released here.
    deinit { unsafe sb_pg_free(result) }

    // Safe: the result lives as long as `self`.
    var rowCount: Int { Int(unsafe sb_pg_row_count(result)) }

    /// The number of rows that the statement has changed.
    // Safe: as above.
    var changedRowCount: Int { unsafe sb_pg_changed_row_count(result) }

    // Safe: as above.
    var columnCount: Int { Int(unsafe sb_pg_column_count(result)) }

    func bytes(_ row: Int, _ column: Int) -> Data? {
        // Safe: the result lives as long as `self`, the row and the column were checked, and the bytes are copied.
        guard row >= 0, row < rowCount, column >= 0, column < columnCount else { return nil }
        let value = unsafe sb_pg_get(result, Int32(row), Int32(column))
        guard let start = unsafe value.bytes else { return nil }
        return unsafe Data(bytes: start, count: Int(value.size))
    }

    func text(_ row: Int, _ column: Int) -> String? { bytes(row, column).map { String(decoding: $0, as: UTF8.self) } }

    func integer(_ row: Int, _ column: Int) -> Int64? {
        guard let bytes = bytes(row, column), bytes.count == 8 || bytes.count == 4 else { return nil }
        return bytes.signedInteger
    }

    func flag(_ row: Int, _ column: Int) -> Bool? { bytes(row, column).flatMap { $0.first.map { $0 != 0 } } }

    func uuid(_ row: Int, _ column: Int) -> UUID? {
        guard let bytes = bytes(row, column), bytes.count == 16 else { return nil }
        let b = Array(bytes)
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}
