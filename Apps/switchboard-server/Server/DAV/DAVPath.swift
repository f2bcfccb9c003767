import Foundation

/// The resource of an address under `/dav/`.
///
/// The person stays as the client wrote it, because some clients compare the addresses in a response with their own.
enum DAVPath: Hashable, Sendable {
    /// `/`, `/dav/` and the collections of all persons, in which clients look for their own.
    case root
    /// `/dav/principals/{person}/`.
    case principal(String)
    /// `/dav/addressbooks/{person}/` or `/dav/calendars/{person}/`.
    case home(String, DAVHome)
    /// An address book or calendar in a home.
    case collection(String, DAVCollection)
    /// A card or task in a collection, with its decoded name.
    case member(String, DAVCollection, String)

    static let prefix = "/dav"

    /// Parses the path of a URL; nil if no resource can have it.
    init?(_ path: String) {
        var segments: [String] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let text = segment.removingPercentEncoding, text != ".", text != "..", !text.contains("/"),
                !text.utf8.contains(0)
            else { return nil }
            segments.append(text)
        }
        if segments.last == "" { segments.removeLast() }
        let home = segments.count > 1 ? DAVHome(rawValue: segments[1]) : nil
        let isOfPrincipals = segments.count > 1 && segments[1] == "principals"
        guard segments.isEmpty || segments[0] == "dav", segments.allSatisfy({ !$0.isEmpty }),
            segments.count < 2 || isOfPrincipals || home != nil
        else { return nil }
        let collection = segments.count > 3 ? DAVCollection(rawValue: segments[3]) : nil
        switch (segments.count, home) {
        case (0...2, _): self = .root
        case (3, nil): self = .principal(segments[2])
        case (3, let home?): self = .home(segments[2], home)
        case (4, let home?):
            guard let collection, collection.home == home else { return nil }
            self = .collection(segments[2], collection)
        case (5, let home?):
            guard let collection, collection.home == home, !path.hasSuffix("/") else { return nil }
            self = .member(segments[2], collection, segments[4])
        default: return nil
        }
    }

    /// Parses the href of a request, which may be an absolute URL.
    init?(href: String) {
        if href.hasPrefix("/") {
            self.init(href)
        } else if let scheme = href.range(of: "://"), let slash = href[scheme.upperBound...].firstIndex(of: "/") {
            self.init(String(href[slash...]))
        } else {
            return nil
        }
    }

    /// The person in the address; nil for the root.
    var person: String? {
        switch self {
        case .root: nil
        case .principal(let person), .home(let person, _), .collection(let person, _), .member(let person, _, _): person
        }
    }

    /// The encoded path; collections end with a slash.
    var href: String {
        switch self {
        case .root: Self.prefix + "/"
        case .principal(let person): Self.prefix + "/principals/" + Self.encoded(person) + "/"
        case .home(let person, let home): Self.prefix + "/" + home.rawValue + "/" + Self.encoded(person) + "/"
        case .collection(let person, let collection):
            DAVPath.home(person, collection.home).href + collection.rawValue + "/"
        case .member(let person, let collection, let name):
            DAVPath.collection(person, collection).href + Self.encoded(name)
        }
    }

    private static let unencoded = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@!$'()*,=:+")

    private static func encoded(_ segment: String) -> String {
        segment.addingPercentEncoding(withAllowedCharacters: unencoded) ?? segment
    }
}

/// A folder of the collections of a person.
enum DAVHome: String, CaseIterable, Sendable {
    case addressbooks
    case calendars
}

/// An address book or a calendar of a person.
enum DAVCollection: String, CaseIterable, Sendable {
    case contacts
    /// Read-only.
    case prospects
    /// Tasks, of which clients change and remove those that exist.
    case reminders

    var home: DAVHome { self == .reminders ? .calendars : .addressbooks }

    var displayName: String {
        switch self {
        case .contacts: "Contacts"
        case .prospects: "Prospects"
        case .reminders: "Reminders"
        }
    }
}
