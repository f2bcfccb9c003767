import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardVCard

/// A file format for export.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// vCard 3.0, the most widely supported version.
    case vcard3
    /// vCard 4.0.
    case vcard4
    /// CSV with the columns of Google Contacts.
    case csv
    /// `{"results": [{"kind": "contact", "id", "title", "contact": {…}}]}`
    case json
}

extension ContactBook {
    /// Exports all contacts, or the contacts of a group, sorted by name, from one snapshot.
    ///
    /// - Parameters:
    ///   - format: The file format.
    ///   - group: The group to export; nil for all contacts.
    ///   - ids: The identifiers of the contacts to export; nil for all.
    ///   - write: Receives the text in chunks. An error ends the export and is rethrown.
    /// - Returns: The number of contacts written.
    /// - Throws: ``ContactBookError/unknownGroup(_:)``, `StorageError`, errors of `write`.
    @discardableResult
    public func export(
        _ format: ExportFormat, group: String? = nil, only ids: Set<String>? = nil, to write: (String) throws -> Void
    ) throws -> Int {
        try storage.read { db in
            var count = 0
            func isExported(_ contact: Contact) -> Bool { ids?.contains(contact.id) ?? true }
            switch format {
            case .vcard3, .vcard4:
                let writer = VCardWriter(version: format == .vcard3 ? .version3 : .version4)
                try ContactBook.forEach(in: db, group: group, withPhotos: true) { contact in
                    guard isExported(contact) else { return }
                    try write(writer.card(of: contact))
                    count += 1
                }
                for (group, members) in group == nil && ids == nil ? try UnresolvedMembers.all(in: db) : [] {
                    try write(UnresolvedMembers.card(group, members, version: writer.version))
                }
            case .csv:
                let writer = CSVWriter(widths: try ContactBook.widths(db))
                try write(writer.header)
                try ContactBook.forEach(in: db, group: group, withPhotos: true) { contact in
                    guard isExported(contact) else { return }
                    try write(writer.row(of: contact))
                    count += 1
                }
            case .json:
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                try write("{\"results\": [")
                try ContactBook.forEach(in: db, group: group, withPhotos: false) { contact in
                    guard isExported(contact) else { return }
                    let item = ExportedContact(id: contact.id, title: contact.displayName, contact: contact)
                    let json = String(decoding: try encoder.encode(item), as: UTF8.self)
                    try write((count == 0 ? "\n" : ",\n") + json)
                    count += 1
                }
                try write("\n]}\n")
            }
            return count
        }
    }

    private static func widths(_ db: Database) throws -> CSVWriter.Widths {
        func largest(_ table: String, where condition: String = "1") throws -> Int {
            try Int.fetchOne(
                db, sql: "SELECT max(n) FROM (SELECT count(*) AS n FROM \(table) WHERE \(condition) GROUP BY contact)")
                ?? 0
        }
        return CSVWriter.Widths(
            phones: max(1, try largest("contact_phone")), emails: max(1, try largest("contact_email")),
            addresses: try largest("contact_detail", where: "kind = \(DetailKind.address.rawValue)"),
            urls: try largest("contact_detail", where: "kind = \(DetailKind.url.rawValue)"))
    }
}

/// A contact in the list format of the front ends.
private struct ExportedContact: Encodable {
    let kind = "contact"
    let id: String
    let title: String
    let contact: Contact
}

/// A writer of CSV with the columns of Google Contacts (2024), which most programs read, and additional columns for a
/// lossless re-import.
struct CSVWriter {
    /// The number of columns per kind: the maximum over all contacts.
    struct Widths: Hashable, Sendable {
        var phones = 1
        var emails = 1
        var addresses = 0
        var urls = 0
    }

    let widths: Widths

    /// The text fields in the order of their columns; nil for the formatted name.
    private static let texts: [ContactTextField?] = {
        var fields: [ContactTextField?] = ContactTextField.all.sorted { $0.csvPosition < $1.csvPosition }
        fields.insert(nil, at: 8)
        return fields
    }()

    var header: String {
        var columns = CSVWriter.texts.map { ($0?.csvNames.first ?? "formatted name").capitalized }
        let address = ["Label", "PO Box", "Extended Address", "Street", "City", "Region", "Postal Code", "Country"]
        for (list, width, parts) in [
            ("E-mail", widths.emails, ["Label", "Value"]), ("Phone", widths.phones, ["Label", "Value"]),
            ("Address", widths.addresses, address), ("Website", widths.urls, ["Label", "Value"]),
        ] {
            for number in 1..<(width + 1) { columns += parts.map { "\(list) \(number) - \($0)" } }
        }
        return CSVLine.text(columns + ["Labels", "UID", "Favourite", "Other Properties"])
    }

    func row(of contact: Contact) -> String {
        var fields = CSVWriter.texts.map { field in field.map { contact[$0] } ?? contact.formattedName }
        func add<Value>(_ values: [Value], width: Int, columns: Int, _ texts: (Value) -> [String]) {
            for value in values.prefix(width) { fields += texts(value) }
            fields += Array(repeating: "", count: max(0, width - values.count) * columns)
        }
        func marked(_ label: String, _ isPreferred: Bool) -> String { isPreferred ? "* " + label : label }
        add(contact.emails, width: widths.emails, columns: 2) { [marked($0.label, $0.isPreferred), $0.address] }
        add(contact.phones, width: widths.phones, columns: 2) { [marked($0.label, $0.isPreferred), $0.number.text] }
        add(contact.addresses, width: widths.addresses, columns: 8) { [$0.label] + $0.components }
        add(contact.urls, width: widths.urls, columns: 2) { [$0.label, $0.url] }
        // The reader takes the first photo as the contact's photo.
        let others = (contact.photo?.line).map { [$0] + contact.otherProperties } ?? contact.otherProperties
        fields += [
            contact.groups.joined(separator: " ::: "),
            contact.sourceUID.isEmpty ? contact.id : contact.sourceUID, contact.isFavourite ? "1" : "",
            others.joined(separator: "\n"),
        ]
        return CSVLine.text(fields)
    }
}
