import Foundation
import SwitchboardAccounts
import SwitchboardContactSync
import SwitchboardDAV
import SwitchboardKit
import SwitchboardStorage

/// The properties of a resource.
struct DAVProperties {
    /// The names of the properties that a request for all properties gets.
    let names: [DAVName]
    /// Returns a property; nil if the resource does not have it.
    let value: (DAVName) throws -> DAVProperty?

    /// Adds the requested properties to a response.
    func add(_ request: PropertyRequest, of href: String, to response: inout Multistatus) throws {
        switch request {
        case .names: response.add(href, found: names.map { DAVProperty($0) })
        case .all: response.add(href, found: try names.compactMap(value))
        case .some(let wanted):
            var (found, missing) = ([DAVProperty](), [DAVName]())
            for name in wanted {
                if let property = try value(name) { found.append(property) } else { missing.append(name) }
            }
            response.add(href, found: found, missing: missing)
        }
    }
}

// MARK: - Collections

/// The properties of the collections of a caller.
struct DAVCollections {
    let token: Token
    /// The person as the client writes it.
    let person: String
    let switchboard: Switchboard

    private static let common: [DAVName] = [
        .dav("resourcetype"), .dav("displayname"), .dav("current-user-principal"), .dav("owner"),
        .dav("current-user-privilege-set"), .dav("supported-report-set"),
    ]
    private static let ofPrincipal: [DAVName] = [.dav("principal-URL"), .card("addressbook-home-set")]
    private static let ofBook: [DAVName] = [
        .dav("sync-token"), .server("getctag"), .card("supported-address-data"), .card("max-resource-size"),
        .card("addressbook-description"), .card("supported-collation-set"),
    ]

    /// Names that are properties of some collection, which no client can change.
    static let protected = Set(common + ofPrincipal + ofBook)

    func properties(of path: DAVPath) -> DAVProperties {
        var names = Self.common
        if case .book = path { names += Self.ofBook } else { names += Self.ofPrincipal }
        return DAVProperties(names: names) { try value($0, of: path) }
    }

    private func value(_ name: DAVName, of path: DAVPath) throws -> DAVProperty? {
        switch name {
        case .dav("resourcetype"): DAVProperty(name, types(of: path))
        case .dav("displayname"): DAVProperty(name, text: displayName(of: path))
        case .dav("current-user-principal"), .dav("owner"): DAVProperty(name, hrefs: [DAVPath.principal(person).href])
        case .dav("current-user-privilege-set"):
            DAVProperty(name, each: privileges(of: path), within: [.dav("privilege")])
        case .dav("supported-report-set"):
            DAVProperty(name, each: reports(of: path), within: [.dav("supported-report"), .dav("report")])
        default:
            if case .book(_, let book) = path {
                try value(name, of: book)
            } else {
                principalValue(name)
            }
        }
    }

    /// Clients ask for these anywhere outside a book, depending on the address that was typed.
    private func principalValue(_ name: DAVName) -> DAVProperty? {
        switch name {
        case .dav("principal-URL"): DAVProperty(name, hrefs: [DAVPath.principal(person).href])
        case .card("addressbook-home-set") where DAVBook.allCases.contains { $0.isReadable(with: token.scopes) }:
            DAVProperty(name, hrefs: [DAVPath.home(person).href])
        default: nil
        }
    }

    private func value(_ name: DAVName, of book: DAVBook) throws -> DAVProperty? {
        switch name {
        case .dav("sync-token"), .server("getctag"):
            DAVProperty(name, text: DAVToken.uri(try book.token(in: switchboard)))
        case .card("supported-address-data"):
            DAVProperty(
                name, .card("address-data-type"),
                attributes: ["3.0", "4.0"].map { [("content-type", "text/vcard"), ("version", $0)] })
        case .card("max-resource-size"): DAVProperty(name, text: String(ContactCards.largestCard))
        case .card("addressbook-description"): DAVProperty(name, text: "\(book.displayName) of \(token.person.name)")
        case .card("supported-collation-set"):
            DAVProperty(
                name, ["i;ascii-casemap", "i;unicode-casemap", "i;octet"].map { (.card("supported-collation"), $0) })
        default: nil
        }
    }

    private func types(of path: DAVPath) -> [DAVName] {
        switch path {
        case .principal: [.dav("collection"), .dav("principal")]
        case .book: [.dav("collection"), .card("addressbook")]
        default: [.dav("collection")]
        }
    }

    private func displayName(of path: DAVPath) -> String {
        if case .book(_, let book) = path { return book.displayName }
        return token.person.name
    }

    private func privileges(of path: DAVPath) -> [DAVName] {
        let read: [DAVName] = [.dav("read"), .dav("read-current-user-privilege-set")]
        guard case .book(_, let book) = path, book.isWritable(with: token.scopes) else { return read }
        return read + ["write", "write-content", "write-properties", "bind", "unbind"].map { .dav($0) }
    }

    private func reports(of path: DAVPath) -> [DAVName] {
        guard case .book = path else { return [] }
        return [.dav("sync-collection"), .card("addressbook-multiget"), .card("addressbook-query")]
    }
}

// MARK: - Cards

/// The properties of a card.
struct DAVCard {
    let resource: StoredResource
    let owner: String
    let isWritable: Bool
    /// Returns the bytes of the card, which only reports contain.
    let bytes: (() throws -> [UInt8]?)?

    var properties: DAVProperties {
        let names = [
            "getetag", "getcontenttype", "resourcetype", "getlastmodified", "getcontentlength", "displayname",
        ].map { DAVName.dav($0) }
        return DAVProperties(names: names) { name in
            switch name {
            case .dav("getetag"): DAVProperty(name, text: "\"\(resource.tag)\"")
            case .dav("getcontenttype"): DAVProperty(name, text: "text/vcard; charset=utf-8")
            case .dav("resourcetype"): DAVProperty(name)
            case .dav("getlastmodified"): DAVProperty(name, text: HTTPDate.text(resource.modifiedAt))
            case .dav("getcontentlength"): DAVProperty(name, text: String(resource.size))
            case .dav("displayname"): DAVProperty(name, text: resource.name)
            case .dav("owner"), .dav("current-user-principal"): DAVProperty(name, hrefs: [owner])
            case .dav("current-user-privilege-set"):
                DAVProperty(
                    name,
                    each: (["read", "read-current-user-privilege-set"] + (isWritable ? ["write", "write-content"] : []))
                        .map { .dav($0) }, within: [.dav("privilege")])
            case .card("address-data"):
                try bytes?().map { DAVProperty(name, text: String(decoding: $0, as: UTF8.self)) }
            default: nil
            }
        }
    }
}

/// Sync tokens as URIs, as RFC 6578 demands.
enum DAVToken {
    private static let prefix = "data:,"

    static func uri(_ token: ChangeToken) -> String { prefix + token.description }

    static func token(_ uri: String) -> ChangeToken? {
        uri.hasPrefix(prefix) ? ChangeToken(String(uri.dropFirst(prefix.count))) : nil
    }
}

/// Dates in the format of HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    static func text(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
        func two(_ number: Int?) -> String { String((number ?? 0) + 100).suffix(2).description }
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let day = days[((parts.weekday ?? 1) - 1) % 7]
        let month = months[((parts.month ?? 1) - 1) % 12]
        let year = String((parts.year ?? 1970) + 10_000).suffix(4)
        let time = [parts.hour, parts.minute, parts.second].map(two).joined(separator: ":")
        return "\(day), \(two(parts.day)) \(month) \(year) \(time) GMT"
    }
}
