import Foundation

/// Where a result leads: an address that every front end can follow, such as `switchboard://contact/k3v9…`.
public struct DeepLink: Sendable, Hashable {
    /// The kinds of things that places are of.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A person of the address book.
        case contact
        /// Somebody met.
        case prospect
        /// An airport or city.
        case airport
        /// An item of an app.
        case item
        /// Something a person was doing.
        case activity
        /// A search to go on with.
        case find
    }

    /// The kind of thing.
    public var kind: Kind
    /// Its identifier.
    public var id: String
    /// Of an item, the name of its index; nil for the usual one.
    public var index: String?

    /// A place; see the properties.
    public init(kind: Kind, id: String, index: String? = nil) {
        self.kind = kind
        self.id = id
        self.index = index
    }

    /// The place of an address, or nil if it is none.
    public init?(url: String) {
        guard let components = URLComponents(string: url), components.scheme == "switchboard",
            let kind = components.host.flatMap(Kind.init(rawValue:)), components.path.hasPrefix("/")
        else { return nil }
        let id = String(components.path.dropFirst())
        guard !id.isEmpty else { return nil }
        self.init(kind: kind, id: id, index: components.queryItems?.first { $0.name == "index" }?.value)
    }

    /// The address.
    public var url: String {
        let id = DeepLink.escaped(id)
        return "switchboard://\(kind.rawValue)/\(id)" + (index.map { "?index=" + DeepLink.escaped($0) } ?? "")
    }

    /// RFC 3986, section 2.3: what need not be escaped.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
