import SwitchboardVCard

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

    private static var texts: [(column: String, field: KeyPath<Contact, String>)] {
        [
            ("First Name", \.name.given), ("Middle Name", \.name.middle), ("Last Name", \.name.family),
            ("Phonetic First Name", \.phoneticGivenName), ("Phonetic Last Name", \.phoneticFamilyName),
            ("Name Prefix", \.name.prefix), ("Name Suffix", \.name.suffix), ("Nickname", \.nickname),
            ("Formatted Name", \.formattedName), ("Organization Name", \.organization),
            ("Organization Title", \.title), ("Organization Department", \.department), ("Birthday", \.birthday),
            ("Notes", \.note),
        ]
    }

    var header: String {
        var columns = CSVWriter.texts.map(\.column)
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
        var fields = CSVWriter.texts.map { contact[keyPath: $0.field] }
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
