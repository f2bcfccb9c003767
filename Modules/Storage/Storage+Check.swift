import GRDB

/// What a check of a database found.
public struct IntegrityReport: Sendable, Equatable {
    /// What is wrong, a line each; at most some hundred.
    public let problems: [String]

    /// Whether nothing is wrong.
    public var isSound: Bool { problems.isEmpty }
}

extension Storage {
    /// Reads the whole database and looks for damage: broken pages, indexes that miss rows, references to missing rows.
    ///
    /// - Throws: ``StorageError`` if the check could not be done; damage itself is in the report.
    /// - Complexity: proportional to the size of the file, some seconds a gigabyte.
    public func check() throws(StorageError) -> IntegrityReport {
        try StorageError.translating(path) {
            var report: IntegrityReport?
            do {
                try connections.read { db in report = try IntegrityReport(checking: db) }
            } catch let error as DatabaseError where error.meansDamage {
                // Damage can spoil the end of the transaction as well, after the report was made.
                if let report, !report.isSound { return report }
                return IntegrityReport(problems: [error.message ?? "the file is damaged"])
            }
            if case .damaged(_, let detail)? = connections.whyReadOnly {
                return IntegrityReport(problems: [detail] + (report?.problems ?? []))
            }
            return report ?? IntegrityReport(problems: [])
        }
    }
}

extension IntegrityReport {
    init(checking db: Database) throws {
        do {
            // One row may have several lines, under a heading that says which database.
            var problems = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)")
                .flatMap { $0.split(separator: "\n").map(String.init) }
                .filter { $0 != "ok" && !$0.hasPrefix("***") }
            let references = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
            while problems.count < 200, let row = try references.next() {
                let table: String = try row.value(0) ?? "?"
                let number: Int64? = try row.value(1)
                let parent: String = try row.value(2) ?? "?"
                let place = number.map { "row \($0) of \(table)" } ?? "a row of \(table)"
                problems.append("\(place) refers to a missing row of \(parent)")
            }
            if problems.isEmpty, let problem = try IntegrityReport.problemOfGenerations(db) { problems = [problem] }
            self.init(problems: problems)
        } catch let error as DatabaseError where error.meansDamage {
            // Some damage stops even the check.
            self.init(problems: [error.message ?? "the file is damaged"])
        }
    }

    /// What is wrong with the record of generations, which everything that is derived from the data is held against: SQLite does not mind
    /// what kind of value a column holds.
    private static func problemOfGenerations(_ db: Database) throws -> String? {
        do {
            _ = try Storage.generations(in: db)
            return nil
        } catch let error as DatabaseError where error.meansDamage || error.resultCode == .SQLITE_ERROR {
            return error.message ?? "the record of generations is damaged"
        }
    }
}

extension DatabaseError {
    /// Whether SQLite found the file itself broken.
    fileprivate var meansDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
