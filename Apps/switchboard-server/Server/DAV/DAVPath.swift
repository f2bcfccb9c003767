import Foundation

/// The resource of an address under `/dav/`.
///
/// The person stays as the client wrote it, because some clients compare the addresses in a response with their own.
enum DAVPath: Hashable, Sendable {
    /// `/`, `/dav/` and the collections of all persons, in which clients look for their own.
    case root
    /// `/dav/principals/{person}/`.
    case principal(String)
    /// `/dav/addressbooks/{person}/`.
    case home(String)
    /// An address book in the home.
    case book(String, DAVBook)
    /// A card in an address book, with its decoded name.
    case card(String, DAVBook, String)

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
        if segments.isEmpty || [["dav"], ["dav", "principals"], ["dav", "addressbooks"]].contains(segments) {
            self = .root
            return
        }
        guard segments.allSatisfy({ !$0.isEmpty }), segments.count >= 3, segments[0] == "dav" else { return nil }
        let person = segments[2]
        switch (segments[1], segments.count) {
        case ("principals", 3): self = .principal(person)
        case ("addressbooks", 3): self = .home(person)
        case ("addressbooks", 4):
            guard let book = DAVBook(rawValue: segments[3]) else { return nil }
            self = .book(person, book)
        case ("addressbooks", 5):
            guard let book = DAVBook(rawValue: segments[3]), !path.hasSuffix("/") else { return nil }
            self = .card(person, book, segments[4])
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
        case .principal(let person), .home(let person), .book(let person, _), .card(let person, _, _): person
        }
    }

    /// The encoded path; collections end with a slash.
    var href: String {
        switch self {
        case .root: Self.prefix + "/"
        case .principal(let person): Self.prefix + "/principals/" + Self.encoded(person) + "/"
        case .home(let person): Self.prefix + "/addressbooks/" + Self.encoded(person) + "/"
        case .book(let person, let book): DAVPath.home(person).href + book.rawValue + "/"
        case .card(let person, let book, let name): DAVPath.book(person, book).href + Self.encoded(name)
        }
    }

    private static let unencoded = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@!$'()*,=:+")

    private static func encoded(_ segment: String) -> String {
        segment.addingPercentEncoding(withAllowedCharacters: unencoded) ?? segment
    }
}

/// An address book of a person.
enum DAVBook: String, CaseIterable, Sendable {
    case contacts
    /// Read-only.
    case prospects

    var displayName: String {
        switch self {
        case .contacts: "Contacts"
        case .prospects: "Prospects"
        }
    }
}
