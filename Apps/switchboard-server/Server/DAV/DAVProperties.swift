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
        case .some(let wanted, _):
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
    private static let ofPrincipal: [DAVName] = [
        .dav("principal-URL"), .card("addressbook-home-set"), .calendar("calendar-home-set"),
        .calendar("calendar-user-address-set"),
    ]
    private static let ofCollection: [DAVName] = [.dav("sync-token"), .server("getctag")]
    private static let ofBook: [DAVName] = [
        .card("supported-address-data"), .card("max-resource-size"), .card("addressbook-description"),
        .card("supported-collation-set"),
    ]
    private static let ofCalendar: [DAVName] = [
        .calendar("supported-calendar-component-set"), .calendar("supported-calendar-data"),
        .calendar("max-resource-size"), .calendar("calendar-description"), .calendar("supported-collation-set"),
        .calendar("calendar-timezone"), .apple("calendar-color"),
    ]

    func properties(of path: DAVPath) -> DAVProperties {
        var names = Self.common
        if case .collection(_, let collection) = path {
            names += Self.ofCollection + (collection.home == .calendars ? Self.ofCalendar : Self.ofBook)
        } else {
            names += Self.ofPrincipal
        }
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
            if case .collection(_, let collection) = path {
                if name == .dav("sync-token") || name == .server("getctag") {
                    DAVProperty(name, text: DAVToken.uri(try collection.token(in: switchboard)))
                } else if collection.home == .calendars {
                    value(name, ofCalendar: collection)
                } else {
                    value(name, ofBook: collection)
                }
            } else {
                principalValue(name)
            }
        }
    }

    /// Clients ask for these anywhere outside a collection, depending on the address that was typed.
    private func principalValue(_ name: DAVName) -> DAVProperty? {
        switch name {
        case .dav("principal-URL"), .calendar("calendar-user-address-set"):
            DAVProperty(name, hrefs: [DAVPath.principal(person).href])
        case .card("addressbook-home-set"): homeSet(name, .addressbooks)
        case .calendar("calendar-home-set"): homeSet(name, .calendars)
        default: nil
        }
    }

    /// Without the scopes for a collection in it, there is no home.
    private func homeSet(_ name: DAVName, _ home: DAVHome) -> DAVProperty? {
        let isReadable = DAVCollection.allCases.contains { $0.home == home && $0.isReadable(with: token.scopes) }
        return isReadable ? DAVProperty(name, hrefs: [DAVPath.home(person, home).href]) : nil
    }

    private func value(_ name: DAVName, ofCalendar calendar: DAVCollection) -> DAVProperty? {
        switch name {
        case .calendar("supported-calendar-component-set"):
            DAVProperty(name, .calendar("comp"), attributes: [[("name", "VTODO")]])
        case .calendar("supported-calendar-data"):
            DAVProperty(
                name, .calendar("calendar-data"), attributes: [[("content-type", "text/calendar"), ("version", "2.0")]])
        case .calendar("max-resource-size"): DAVProperty(name, text: String(calendar.largestMember))
        case .calendar("calendar-description"): DAVProperty(name, text: description(of: calendar))
        case .calendar("supported-collation-set"): collations(name, .calendar("supported-collation"))
        case .calendar("calendar-timezone"): DAVProperty(name, text: Self.timeZone)
        case .apple("calendar-color"): DAVProperty(name, text: "#2E7D32FF")
        default: nil
        }
    }

    /// Due times are in UTC.
    private static let timeZone = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Switchboard//Reminders//EN", "BEGIN:VTIMEZONE", "TZID:UTC",
        "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD",
        "END:VTIMEZONE", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")

    private func description(of collection: DAVCollection) -> String {
        "\(collection.displayName) of \(token.person.name)"
    }

    private func collations(_ name: DAVName, _ element: DAVName) -> DAVProperty {
        DAVProperty(name, ["i;ascii-casemap", "i;unicode-casemap", "i;octet"].map { (element, $0) })
    }

    private func value(_ name: DAVName, ofBook book: DAVCollection) -> DAVProperty? {
        switch name {
        case .card("supported-address-data"):
            DAVProperty(
                name, .card("address-data-type"),
                attributes: ["3.0", "4.0"].map { [("content-type", "text/vcard"), ("version", $0)] })
        case .card("max-resource-size"): DAVProperty(name, text: String(book.largestMember))
        case .card("addressbook-description"): DAVProperty(name, text: description(of: book))
        case .card("supported-collation-set"): collations(name, .card("supported-collation"))
        default: nil
        }
    }

    private func types(of path: DAVPath) -> [DAVName] {
        switch path {
        case .principal: [.dav("collection"), .dav("principal")]
        case .collection(_, let collection):
            [.dav("collection"), collection.home == .calendars ? .calendar("calendar") : .card("addressbook")]
        default: [.dav("collection")]
        }
    }

    private func displayName(of path: DAVPath) -> String {
        if case .collection(_, let collection) = path { return collection.displayName }
        return token.person.name
    }

    private func privileges(of path: DAVPath) -> [DAVName] {
        let read: [DAVName] = [.dav("read"), .dav("read-current-user-privilege-set")]
        guard case .collection(_, let collection) = path, collection.isWritable(with: token.scopes) else { return read }
        // New tasks come from reminders only.
        let creating = collection == .reminders ? [] : ["write", "write-properties", "bind"]
        return read + (creating + ["write-content", "unbind"]).map { .dav($0) }
    }

    private func reports(of path: DAVPath) -> [DAVName] {
        guard case .collection(_, let collection) = path else { return [] }
        return [.dav("sync-collection")]
            + (collection.home == .calendars
                ? [.calendar("calendar-multiget"), .calendar("calendar-query")]
                : [.card("addressbook-multiget"), .card("addressbook-query")])
    }
}

// MARK: - Cards and tasks

/// The properties of a card or task.
struct DAVMember {
    let resource: StoredResource
    let home: DAVHome
    let owner: String
    let isWritable: Bool
    /// Returns the bytes, which only reports contain.
    let bytes: (() throws -> [UInt8]?)?

    var properties: DAVProperties {
        let names = [
            "getetag", "getcontenttype", "resourcetype", "getlastmodified", "getcontentlength", "displayname",
        ].map { DAVName.dav($0) }
        return DAVProperties(names: names) { name in
            switch name {
            case .dav("getetag"): DAVProperty(name, text: "\"\(resource.tag)\"")
            case .dav("getcontenttype"): DAVProperty(name, text: home.contentType)
            case .dav("resourcetype"): DAVProperty(name)
            case .dav("getlastmodified"): DAVProperty(name, text: HTTPDate.text(resource.modifiedAt))
            case .dav("getcontentlength"): DAVProperty(name, text: String(resource.size))
            case .dav("displayname"): DAVProperty(name, text: resource.name)
            case .dav("owner"), .dav("current-user-principal"): DAVProperty(name, hrefs: [owner])
            case .dav("current-user-privilege-set"):
                DAVProperty(
                    name,
                    each: (["read", "read-current-user-privilege-set"]
                        + (isWritable ? ["write", "write-content"] : []))
                        .map { .dav($0) }, within: [.dav("privilege")])
            case home.data: try bytes?().map { DAVProperty(name, text: String(decoding: $0, as: UTF8.self)) }
            default: nil
            }
        }
    }
}

extension DAVHome {
    /// The type of the members of collections.
    var contentType: String {
        switch self {
        case .addressbooks: "text/vcard; charset=utf-8"
        case .calendars: "text/calendar; charset=utf-8; component=VTODO"
        }
    }

    /// The types that are accepted for members. Some programs name an older or no type.
    var acceptedTypes: [String] {
        let types =
            switch self {
            case .addressbooks: ["text/vcard", "text/x-vcard", "text/directory"]
            case .calendars: ["text/calendar"]
            }
        return types + ["application/octet-stream", "text/plain"]
    }

    /// The property with the bytes of a member.
    fileprivate var data: DAVName {
        switch self {
        case .addressbooks: .card("address-data")
        case .calendars: .calendar("calendar-data")
        }
    }

    /// Returns the name of a precondition in the namespace of CardDAV or CalDAV.
    func condition(_ name: String) -> DAVName {
        switch self {
        case .addressbooks: .card(name)
        case .calendars: .calendar(name)
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
