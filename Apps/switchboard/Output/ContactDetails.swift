import ContactBook
import Foundation

extension Session {
    /// Shows all that is known of a contact, a line for each thing.
    func showDetails(of contact: Contact) {
        var table = Table()
        func add(_ name: String, _ text: String, _ tone: Style.Tone = .plain) {
            for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
                table.add([Cell(index == 0 ? name : "", .faint), Cell(String(line), tone)])
            }
        }
        func add(_ name: String, _ time: Date?) {
            if let time { add(name, time.formatted(.iso8601)) }
        }
        add("name", (contact.isFavourite ? "★ " : "") + contact.displayName, .strong)
        add("prefix", contact.name.prefix)
        add("given name", contact.name.given)
        add("middle name", contact.name.middle)
        add("family name", contact.name.family)
        add("suffix", contact.name.suffix)
        add("nickname", contact.nickname)
        add("sounds like", contact.phoneticName)
        add("organisation", contact.organization)
        add("department", contact.department)
        add("title", contact.title)
        for phone in contact.phones {
            let international = phone.number.e164.map { $0 == phone.number.text ? "" : "  (\($0))" } ?? ""
            add(label("phone", phone.label, phone.isPreferred), phone.number.text + international)
        }
        for email in contact.emails { add(label("e-mail", email.label, email.isPreferred), email.address) }
        for address in contact.addresses { add(label("address", address.label, false), text(of: address)) }
        for url in contact.urls { add(label("page", url.label, false), url.url) }
        add("birthday", contact.birthday)
        add("note", contact.note)
        add("chosen", contact.callCount == 0 ? "" : "\(contact.callCount) times")
        add("last chosen", contact.lastCalledAt)
        add("created", contact.createdAt)
        add("changed", contact.modifiedAt)
        add("uid", contact.sourceUID)
        for property in contact.otherProperties { add("also", Self.shortened(property)) }
        add("id", contact.id, .faint)
        table.write(to: output, style: style)
    }

    private func label(_ what: String, _ label: String, _ isPreferred: Bool) -> String {
        what + (label.isEmpty ? "" : " (\(label))") + (isPreferred ? " *" : "")
    }

    private func text(of address: PostalAddress) -> String {
        let town = [address.postalCode, address.locality].filter { !$0.isEmpty }.joined(separator: " ")
        return [address.box, address.extended, address.street, town, address.region, address.country]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// A photo in a property would fill the screen.
    private static func shortened(_ property: String) -> String {
        property.count <= 120 ? property : property.prefix(119) + "…"
    }
}
