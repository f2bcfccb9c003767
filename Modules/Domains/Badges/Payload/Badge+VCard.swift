import Foundation
import SwitchboardVCard

extension Badge {
    /// Understands the first card of a payload.
    ///
    /// - Parameters:
    ///   - payload: the bytes, in which version 2.1 may name another encoding.
    ///   - text: the same as text, for what is not in the encoding it should be, and for the refusal.
    init(vCard payload: [UInt8], text: String) throws(BadgePayload.Refusal) {
        do {
            self = Badge(try Badge.card(in: payload, text: text))
        } catch {
            let reason = (error as? MalformedInput)?.reason ?? "\(error)"
            throw .malformed(text: text, reason: "the vCard cannot be read: \(reason)")
        }
    }

    /// The first card. Makers of badges leave END:VCARD out to save room, and write Latin-1 without saying so.
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
        throw failure ?? MalformedInput(line: 1, reason: "there is no card in it")
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
                let order = [3, 1, 2, 0, 4].filter { $0 < parts.count }.map { parts[$0] }
                if given.isEmpty { given = order.filter { !$0.isEmpty }.joined(separator: " ") }
            case "EMAIL": take(text, as: \.email, where: PayloadText.isAddress, or: &more)
            case "TEL":
                let number = text.lowercased().hasPrefix("tel:") ? String(text.dropFirst(4)) : text
                take(number, as: \.phone, where: { $0.contains(where: \.isNumber) }, or: &more)
            case "ORG":
                let parts = property.components.map { $0.trimmingCharacters(in: .whitespaces) }
                take(parts.first { !$0.isEmpty } ?? "", as: \.organization, or: &more)
            case "TITLE": take(text, as: \.title, or: &more)
            case "URL": take(text, as: \.url, or: &more)
            case "NOTE": more.append(text)
            default: continue
            }
        }
        if name.isEmpty { name = given }
        note = more.joined(separator: "\n")
    }
}

extension Badge {
    /// Takes a text where there is none yet; what finds no place, or cannot be what it should, goes to the rest.
    mutating func take(
        _ text: String, as field: WritableKeyPath<Badge, String>, where isRight: (String) -> Bool = { _ in true },
        or rest: inout [String]
    ) {
        if text.isEmpty || self[keyPath: field] == text { return }
        if self[keyPath: field].isEmpty, isRight(text) {
            self[keyPath: field] = text
        } else if !rest.contains(text) {
            rest.append(text)
        }
    }
}
