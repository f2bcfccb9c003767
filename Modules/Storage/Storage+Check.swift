import GRDB

/// The result of an integrity check.
public struct IntegrityReport: Sendable, Equatable {
    /// The problems found, one line each; at most about a hundred.
    public let problems: [String]

    /// `true` if no problem was found.
    public var isSound: Bool { problems.isEmpty }
}

extension Storage {
    /// Reads the whole database and checks for corruption: broken pages, incomplete indexes, references to missing
    /// rows.
    ///
    /// - Throws: ``StorageError`` if the check cannot run. Corruption is reported in the result.
    /// - Complexity: Proportional to the size of the file, a few seconds per gigabyte.
    public func check() throws(StorageError) -> IntegrityReport {
        try StorageError.translating(path) {
            var report: IntegrityReport?
            do {
                try connections.read { db in report = try IntegrityReport(checking: db) }
            } catch let error as DatabaseError where error.indicatesCorruption {
                // Corruption can also make the end of the transaction fail, after the report is complete.
                if let report, !report.isSound { return report }
                return IntegrityReport(problems: [error.message ?? "the file is corrupt"])
            }
            if case .damaged(_, let detail)? = connections.readOnlyError {
                return IntegrityReport(problems: [detail] + (report?.problems ?? []))
            }
            return report ?? IntegrityReport(problems: [])
        }
    }
}

extension IntegrityReport {
    init(checking db: Database) throws {
        do {
            // A row may have several lines, after a heading that names the database.
            let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)").joined(separator: "\n")
            var problems = lines.split(separator: "\n").map { String($0) }
            problems.removeAll { $0 == "ok" || $0.hasPrefix("***") }
            let references = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
            while problems.count < 200, let row = try references.next() {
                let table: String = try row.value(0) ?? "?"
                let number: Int64? = try row.value(1)
                let parent: String = try row.value(2) ?? "?"
                let place = number.map { "row \($0) of \(table)" } ?? "a row of \(table)"
                problems.append("\(place) refers to a missing row of \(parent)")
            }
            if problems.isEmpty, let problem = try IntegrityReport.generationsProblem(db) { problems = [problem] }
            self.init(problems: problems)
        } catch let error as DatabaseError where error.indicatesCorruption {
            // Some corruption stops the check itself.
            self.init(problems: [error.message ?? "the file is corrupt"])
        }
    }

    /// Returns a problem of the generations, on which all derived files depend: SQLite does not check the type of a
    /// column's value.
    private static func generationsProblem(_ db: Database) throws -> String? {
        do {
            _ = try Storage.generations(in: db)
            return nil
        } catch let error as DatabaseError where error.indicatesCorruption || error.resultCode == .SQLITE_ERROR {
            return error.message ?? "the table of generations is corrupt"
        }
    }
}

extension DatabaseError {
    fileprivate var indicatesCorruption: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}

/// The size and contents of a database.
public struct StorageStats: Sendable, Equatable, Encodable {
    /// The number of rows of a table.
    public struct Table: Sendable, Equatable, Encodable {
        /// The table's name.
        public let name: String
        /// The number of its rows.
        public let rows: Int
    }

    /// The schema and generation of a module.
    public struct Module: Sendable, Equatable, Encodable {
        /// The module's name.
        public let name: String
        /// The names of the applied migrations.
        public let migrations: [String]
        /// The generation of its data, see ``Storage/generation(of:)``.
        public let generation: Int64
    }

    /// The size of the file in bytes; 0 in memory.
    public let fileBytes: Int
    /// The size of the write-ahead log in bytes.
    public let logBytes: Int
    /// The size of a page in bytes.
    public let pageSize: Int
    /// The number of pages, free ones included.
    public let pages: Int
    /// The number of unused pages; ``Storage/optimize()`` returns them to the disk.
    public let freePages: Int
    /// The version of SQLite in use, such as "3.40.1".
    public let sqliteVersion: String
    /// The tables, sorted by name.
    public let tables: [Table]
    /// The modules that have migrations in the file, including those unknown to this program, sorted by name.
    public let modules: [Module]
}

extension Storage {
    /// Returns the size and contents of the database.
    ///
    /// - Complexity: Counts the rows of each table, so proportional to the size of their smallest indexes.
    public func stats() throws(StorageError) -> StorageStats {
        try StorageError.translating(path) {
            try connections.read { db in
                StorageStats(
                    fileBytes: path.map { DatabaseFile.size(of: $0) } ?? 0,
                    logBytes: path.map { DatabaseFile.size(of: DatabaseFile(path: $0).log) } ?? 0,
                    pageSize: try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0,
                    pages: try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0,
                    freePages: try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0,
                    sqliteVersion: try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? "",
                    tables: try StorageStats.tables(db),
                    modules: try StorageStats.modules(db))
            }
        }
    }
}

extension StorageStats {
    fileprivate static func tables(_ db: Database) throws -> [Table] {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                ORDER BY name
                """)
        return try names.map { name in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name.quotedDatabaseIdentifier)")
            return Table(name: name, rows: count ?? 0)
        }
    }

    fileprivate static func modules(_ db: Database) throws -> [Module] {
        var migrations: [String: [String]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT module, name FROM storage_migration ORDER BY module, name") {
            try migrations[row.value(0), default: []].append(row.value(1))
        }
        return try migrations.sorted { $0.key < $1.key }.map { module, names in
            Module(name: module, migrations: names, generation: try Storage.generation(of: module, in: db))
        }
    }
}
