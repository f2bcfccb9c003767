package import GRDB

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension Storage: SQLDatabase {
    package func reading<T>(_ body: (any SQLTransaction) throws -> T) throws -> T {
        try read { db in try body(SQLiteTransaction(db: db)) }
    }

    package func writing<T>(changing module: String?, _ body: (any SQLTransaction) throws -> T) throws -> T {
        func run(_ db: Database) throws -> T { try body(SQLiteTransaction(db: db)) }
        if let module { return try write(changing: module, run) }
        return try write(run)
    }
}

private struct SQLiteTransaction: SQLTransaction {
    let db: Database

    func rows(_ sql: String, _ arguments: Arguments) throws -> [any SQLRow] {
        try Row.fetchAll(db.cachedStatement(sql: sql), arguments: StatementArguments(arguments))
    }

    func execute(_ sql: String, _ arguments: Arguments) throws -> Int {
        try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
        return db.changesCount
    }
}

extension Row: SQLRow {
    package func data(_ column: Int) throws -> Data { try value(column) }
    package func optionalData(_ column: Int) throws -> Data? { try value(column) }
}
