import Foundation
import SwitchboardVCard

extension Badge {
    /// Parses the first card of a payload.
    ///
    /// - Parameters:
    ///   - payload: The bytes; version 2.1 may declare another encoding.
    ///   - text: The decoded payload, for bytes in an undeclared encoding and for errors.
    init(vCard payload: [UInt8], text: String) throws(BadgePayload.ParsingError) {
        do {
            self = Badge(try Badge.card(in: payload, text: text))
        } catch {
            let reason = (error as? MalformedInput)?.reason ?? "\(error)"
            throw .malformed(text: text, reason: "cannot read the vCard: \(reason)")
        }
    }

    /// Returns the first card. Some badges omit END:VCARD to save space, or use Latin-1 without declaring it.
    private static func card(in payload: [UInt8], text: String) throws -> VCard {
        var failure: (any Error)?
        for bytes in [payload, Array(text.utf8), Array((text + "\r\nEND:VCARD\r\n").utf8)] {
            do {
                var reader = try VCardReader(ByteStream(bytes))
                if let card = try reader.next() { return card }
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? MalformedInput(line: 1, reason: "the code contains no vCard")
    }

    private init(_ card: VCard) {
        self.init()
        var more: [String] = []
        var given = ""
        for property in card.properties.sorted(by: { $0.isPreferred && !$1.isPreferred }) {
            let text = property.text.trimmingCharacters(in: .whitespacesAndNewlines)
            if text.isEmpty { continue }
            switch property.name {
            case "FN": if name.isEmpty { name = text }
            case "N":
                // prefix given middle family suffix
                let parts = property.components.map { $0.trimmingCharacters(in: .whitespaces) }
                func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
                let order =
                    PayloadText.isFamilyNameFirst(part(0) + part(1))
                    ? [part(3), part(0) + part(1), part(2), part(4)] : [3, 1, 2, 0, 4].map(part)
                if given.isEmpty { given = order.filter { !$0.isEmpty }.joined(separator: " ") }
            case "TEL":
                let number = text.lowercased().hasPrefix("tel:") ? String(text.dropFirst(4)) : text
                assign(number, ofProperty: "TEL", or: &more)
            case "ORG":
                let parts = property.components.map { $0.trimmingCharacters(in: .whitespaces) }
                assign(parts.first { !$0.isEmpty } ?? "", ofProperty: "ORG", or: &more)
            default: assign(text, ofProperty: property.name, or: &more)
            }
        }
        if name.isEmpty { name = given }
        note = more.joined(separator: "\n")
    }

    /// Assigns the value of a property that vCard and MECARD have in common; ignores other properties.
    mutating func assign(_ text: String, ofProperty name: String, or rest: inout [String]) {
        switch name {
        case "EMAIL": assign(text, as: \.email, where: PayloadText.isAddress, or: &rest)
        case "TEL": assign(text, as: \.phone, where: { $0.contains(where: \.isNumber) }, or: &rest)
        case "ORG": assign(text, as: \.organization, or: &rest)
        case "TITLE": assign(text, as: \.title, or: &rest)
        case "URL": assign(text, as: \.url, or: &rest)
        case "NOTE": rest.append(text)
        default: break
        }
    }

    /// Assigns a text to an empty field. A text for a field that has a value, or that is not valid for it, is added to
    /// `rest`.
    mutating func assign(
        _ text: String, as field: WritableKeyPath<Badge, String>, where isValid: (String) -> Bool = { _ in true },
        or rest: inout [String]
    ) {
        if text.isEmpty || self[keyPath: field] == text { return }
        if self[keyPath: field].isEmpty, isValid(text) {
            self[keyPath: field] = text
        } else if !rest.contains(text) {
            rest.append(text)
        }
    }
}
