import Foundation
import GRDB

/// A copy of a contact's rows that can be restored exactly.
///
/// Columns are stored by name: a column that was added later gets its default value.
struct StoredRows: Codable {
    private struct Table: Codable {
        let name: String
        let columns: [String]
        let rows: [[StoredValue]]
    }

    let key: Int64
    private let tables: [Table]

    /// The tables with the column of the contact's key, the referenced table first.
    private static let sources = [
        ("contact", "key"), ("contact_phone", "contact"), ("contact_email", "contact"), ("contact_detail", "contact"),
        ("contact_search", "contact"),
    ]

    var identifier: String? {
        guard let table = tables.first, let column = table.columns.firstIndex(of: "id"), let row = table.rows.first,
            row.indices.contains(column)
        else { return nil }
        return row[column].text
    }

    init(of key: Int64, in db: Database) throws {
        self.key = key
        tables = try StoredRows.sources.map { name, column in
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(name) WHERE \(column) = ?", arguments: [key])
            return Table(
                name: name, columns: rows.first.map { Array($0.columnNames) } ?? [],
                rows: rows.map { $0.databaseValues.map(StoredValue.init) })
        }
    }

    /// Inserts the rows. The contact must have none.
    func restore(in db: Database) throws {
        for table in tables where StoredRows.sources.contains(where: { $0.0 == table.name }) {
            let columns = table.columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            let places = table.columns.map { _ in "?" }.joined(separator: ", ")
            // In copies from before the primary key of details, groups may share a position.
            let position = table.name == "contact_detail" ? table.columns.firstIndex(of: "position") : nil
            for (place, row) in table.rows.enumerated() {
                var values = row.map(\.databaseValue)
                if let position, values.indices.contains(position) { values[position] = place.databaseValue }
                try db.cachedStatement(sql: "INSERT INTO \(table.name) (\(columns)) VALUES (\(places))")
                    .execute(arguments: StatementArguments(values))
            }
        }
        // The copy may predate the identities of numbers and the searched fields.
        try ContactRows.updateNumbers(where: "contact = ?", arguments: [key], in: db)
        guard let contact = try ContactFetching.contacts([key], withPhotos: false, in: db)[key] else { return }
        try db.execute(
            sql: "UPDATE contact_search SET tokens = ? WHERE contact = ?", arguments: [contact.searchTexts, key])
    }
}

/// An exact SQLite value.
private struct StoredValue: Codable {
    private var integer: Int64?
    // The bit pattern: JSON cannot represent every double.
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
