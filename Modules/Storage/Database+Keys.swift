public import GRDB

extension Database {
    private static let maxKeys = 500

    /// Calls a closure with each row that a query returns for the given keys.
    ///
    /// The query runs once per 500 keys. Lists of three sizes keep its statements cached.
    ///
    /// - Parameters:
    ///   - sql: The query up to the list of keys: `SELECT … WHERE key IN`.
    ///   - keys: Distinct keys.
    ///   - order: The terms by which the rows of a batch are sorted.
    ///   - body: Receives each row. An error ends the iteration and is rethrown.
    public func forEachRow(
        _ sql: String, _ keys: [Int64], orderedBy order: String? = nil, _ body: (Row) throws -> Void
    ) throws {
        try keys.forEachBatch(of: Database.maxKeys) { batch in
            let width = batch.count <= 1 ? 1 : batch.count <= 16 ? 16 : Database.maxKeys
            // The list is padded with its last key.
            let padded = batch + Array(repeating: keys[batch.endIndex - 1], count: width - batch.count)
            let list = " (" + String(repeating: "?,", count: width - 1) + "?)" + (order.map { " ORDER BY " + $0 } ?? "")
            let rows = try Row.fetchCursor(cachedStatement(sql: sql + list), arguments: StatementArguments(padded))
            while let row = try rows.next() { try body(row) }
        }
    }
}

extension RandomAccessCollection where Index == Int {
    package func forEachBatch(of size: Int, _ body: (SubSequence) throws -> Void) rethrows {
        for start in stride(from: startIndex, to: endIndex, by: size) {
            try body(self[start..<Swift.min(start + size, endIndex)])
        }
    }
}
