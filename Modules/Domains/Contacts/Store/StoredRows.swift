import Foundation
import GRDB

/// The rows of a contact as they stand in the database, value by value, so that they can be put back exactly.
///
/// Columns are kept by name: rows that were taken before a column came are put back with its default.
struct StoredRows: Codable {
    /// The rows of one table.
    private struct Table: Codable {
        let name: String
        let columns: [String]
        let rows: [[StoredValue]]
    }

    /// The key of the contact.
    let key: Int64
    private let tables: [Table]

    /// The tables, each with the column of the contact's key, the one that the others refer to first.
    private static let sources = [
        ("contact", "key"), ("contact_phone", "contact"), ("contact_email", "contact"), ("contact_detail", "contact"),
        ("contact_search", "contact"),
    ]

    /// The identifier of the contact.
    var identifier: String? {
        guard let table = tables.first, let column = table.columns.firstIndex(of: "id"), let row = table.rows.first,
            row.indices.contains(column)
        else { return nil }
        return row[column].text
    }

    /// Takes the rows of a contact.
    init(of key: Int64, in db: Database) throws {
        self.key = key
        tables = try StoredRows.sources.map { name, column in
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(name) WHERE \(column) = ?", arguments: [key])
            return Table(
                name: name, columns: rows.first.map { Array($0.columnNames) } ?? [],
                rows: rows.map { $0.databaseValues.map(StoredValue.init) })
        }
    }

    /// Puts the rows back; those of the contact must be gone.
    func putBack(in db: Database) throws {
        for table in tables where StoredRows.sources.contains(where: { $0.0 == table.name }) {
            let columns = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            let places = table.columns.map { _ in "?" }.joined(separator: ", ")
            for row in table.rows {
                try db.cachedStatement(sql: "INSERT INTO \(table.name) (\(columns)) VALUES (\(places))")
                    .execute(arguments: StatementArguments(row.map(\.databaseValue)))
            }
        }
    }
}

/// A value of SQLite, exactly.
private struct StoredValue: Codable {
    private var integer: Int64?
    // The bits: not every number that SQLite keeps has a writing in JSON.
    private var real: UInt64?
    private(set) var text: String?
    private var blob: Data?

    private enum CodingKeys: String, CodingKey { case integer = "i", real = "r", text = "t", blob = "b" }

    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: break
        case .int64(let integer): self.integer = integer
        case .double(let real): self.real = real.bitPattern
        case .string(let text): self.text = text
        case .blob(let blob): self.blob = blob
        }
    }

    var databaseValue: DatabaseValue {
        if let integer { return integer.databaseValue }
        if let real { return Double(bitPattern: real).databaseValue }
        if let text { return text.databaseValue }
        if let blob { return blob.databaseValue }
        return .null
    }
}
