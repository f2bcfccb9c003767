import Foundation

/// A link to an object that every front end can open, such as `switchboard://contact/k3v9…`.
public struct DeepLink: Sendable, Hashable {
    /// The kind of object that a link refers to.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A contact.
        case contact
        /// A prospect.
        case prospect
        /// An airport or city.
        case airport
        /// An item.
        case item
        /// A user activity.
        case activity
        /// A search to continue.
        case find
    }

    /// The kind of the object.
    public var kind: Kind
    /// The identifier of the object, or the text of a search.
    public var id: String
    /// The name of an item's index; nil for the default one.
    public var index: String?

    /// Creates a link.
    public init(kind: Kind, id: String, index: String? = nil) {
        self.kind = kind
        self.id = id
        self.index = index
    }

    /// Parses a URL; nil if it is not a link to an object.
    public init?(url: String) {
        guard let components = URLComponents(string: url), components.scheme == "switchboard",
            let kind = components.host.flatMap(Kind.init(rawValue:)), components.path.hasPrefix("/")
        else { return nil }
        let id = String(components.path.dropFirst())
        guard !id.isEmpty else { return nil }
        self.init(kind: kind, id: id, index: components.queryItems?.first { $0.name == "index" }?.value)
    }

    /// The URL.
    public var url: String {
        let id = DeepLink.escaped(id)
        return "switchboard://\(kind.rawValue)/\(id)" + (index.map { "?index=" + DeepLink.escaped($0) } ?? "")
    }

    /// The unreserved characters of RFC 3986, section 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Percent-encodes all but the unreserved characters.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
