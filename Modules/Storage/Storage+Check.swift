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
