import Foundation
public import SwitchboardContacts

extension Contact {
    /// The details of the contact.
    public var details: [Detail] {
        var details = [
            Detail("name", (isFavourite ? "★ " : "") + displayName, .strong), Detail("prefix", name.prefix),
            Detail("given name", name.given), Detail("middle name", name.middle), Detail("family name", name.family),
            Detail("suffix", name.suffix), Detail("nickname", nickname), Detail("sounds like", phoneticName),
            Detail("organisation", organization), Detail("department", department), Detail("title", title),
        ]
        for phone in phones {
            let international = phone.number.e164.map { $0 == phone.number.text ? "" : "  (\($0))" } ?? ""
            details.append(Detail(label("phone", phone.label, phone.isPreferred), phone.number.text + international))
        }
        details += emails.map { Detail(label("e-mail", $0.label, $0.isPreferred), $0.address) }
        details += addresses.map { Detail(label("address", $0.label, false), $0.line) }
        details += urls.map { Detail(label("page", $0.label, false), $0.url) }
        details += [
            Detail("birthday", birthday), Detail("groups", groups.joined(separator: ", ")), Detail("note", note),
            Detail("photograph", photo.map { "\($0.mediaType), \($0.size) bytes" } ?? ""),
            Detail("chosen", callCount == 0 ? "" : "\(callCount) times"),
            Detail("last chosen", lastCalledAt?.formatted(.iso8601) ?? ""),
            Detail("created", createdAt?.formatted(.iso8601) ?? ""),
            Detail("changed", modifiedAt?.formatted(.iso8601) ?? ""), Detail("uid", sourceUID),
        ]
        // An embedded photo would fill the screen.
        details += otherProperties.map { Detail("also", $0.count <= 120 ? $0 : $0.prefix(119) + "…") }
        details.append(Detail("id", id, .faint))
        return details.filter { !$0.text.isEmpty }
    }

    private func label(_ what: String, _ label: String, _ isPreferred: Bool) -> String {
        what + (label.isEmpty ? "" : " (\(label))") + (isPreferred ? " *" : "")
    }
}

extension PostalAddress {
    fileprivate var line: String {
        let town = [postalCode, locality].filter { !$0.isEmpty }.joined(separator: " ")
        return [box, extended, street, town, region, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
