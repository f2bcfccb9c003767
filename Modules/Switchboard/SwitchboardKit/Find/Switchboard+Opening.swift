import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardSearchableIndex

/// A link to an object that every front end can open, such as `switchboard://contact/k3v9…`.
public struct DeepLink: Sendable, Hashable {
    /// The kinds of objects that a link can refer to.
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
    /// The name of an item's index; nil for the default index.
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

    /// Percent-encodes all characters except the unreserved ones.
    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

extension SearchResult {
    /// The link to the object.
    public var link: DeepLink {
        switch object {
        case .contact: DeepLink(kind: .contact, id: id)
        case .prospect: DeepLink(kind: .prospect, id: id)
        case .airport: DeepLink(kind: .airport, id: id)
        case .item(let item, let index):
            if index == nil, let activity = item.activityIdentifier {
                DeepLink(kind: .activity, id: activity)
            } else {
                DeepLink(kind: .item, id: id, index: index)
            }
        }
    }
}

/// A chosen result and its link: `{"open": "switchboard://…", "result": {…}}`.
public struct OpenedResult: Encodable, Sendable {
    /// The URL to open.
    public let open: String
    /// The result.
    public let result: SearchResult
}

extension Switchboard {
    /// Opens a result: records the choice, which makes it rank higher next time, and returns its link.
    ///
    /// - Parameters:
    ///   - number: The number of the row, from 1.
    ///   - response: The response that was shown.
    /// - Throws: ``SwitchboardError`` if the row does not exist, and the errors of recording the choice.
    public func open(_ number: Int, of response: SearchResponse) throws -> OpenedResult {
        guard number >= 1 else {
            throw SwitchboardError.usage("there is no result \(number); results are numbered from 1")
        }
        guard response.results.count >= number else {
            throw SwitchboardError(
                code: "notFound",
                message: "“\(response.query)” has only \(response.results.count) results, not \(number)",
                status: .nothingFound)
        }
        return try open(response.results[number - 1], for: response.input)
    }

    /// Opens a result: records that it was chosen for an input, and returns its link.
    ///
    /// - Throws: The errors of recording the choice.
    func open(_ result: SearchResult, for input: SearchInput) throws -> OpenedResult {
        try recordChoice(of: result, for: input)
        switch result.object {
        case .contact(let contact): try contacts.recordCall(contact.id)
        case .airport(let airport, _): try airports.choose(airport.code)
        case .item(let item, nil):
            let continued = try continueActivity(item.activityIdentifier ?? id(of: item), query: input.text)
            return OpenedResult(open: continued.open, result: result)
        case .item(let item, let index?): try items(index).engage(id(of: item), query: input.text)
        case .prospect: break
        }
        return OpenedResult(open: result.link.url, result: result)
    }

    private func id(of item: StoredItem) -> String { item.item.uniqueIdentifier }
}
