public import Foundation
import SwitchboardVCard

/// The properties that a client asks for.
public enum PropertyRequest: Sendable, Hashable {
    /// All common properties.
    case all
    /// The names of all properties.
    case names
    /// Some properties, and what is asked of cards among them.
    case some([DAVName], data: CardDataRequest? = nil)

    /// What is asked of cards; nil for their bytes.
    public var data: CardDataRequest? { if case .some(_, let data) = self { data } else { nil } }

    /// Reads the body of PROPFIND (RFC 4918, section 9.1). An empty body asks for all properties.
    ///
    /// - Throws: ``DAVError/malformedXML(reason:)``.
    public init(propfind bytes: [UInt8]) throws(DAVError) {
        guard !bytes.isEmpty else {
            self = .all
            return
        }
        let root = try DAVElement(parsing: bytes)
        guard root.name == .dav("propfind"), let request = try PropertyRequest(in: root) else {
            throw .malformedXML(reason: "use propfind with prop, allprop or propname")
        }
        self = request
    }

    /// Reads the child of a request that has the properties; nil without one.
    init?(in element: DAVElement) throws(DAVError) {
        let kinds = element.children.filter { ["prop", "allprop", "propname"].contains($0.name.name) }
        guard let kind = kinds.first(where: { $0.name.space == DAVName.davSpace }) else { return nil }
        guard kinds.count == 1 else { throw .malformedXML(reason: "use one of prop, allprop and propname") }
        switch kind.name.name {
        case "allprop": self = .all
        case "propname": self = .names
        default:
            let data = try kind.child(.card("address-data")).map { data throws(DAVError) in try CardDataRequest(data) }
            self = .some(kind.children.map(\.name), data: data)
        }
    }
}

/// A change of a property by PROPPATCH (RFC 4918, section 9.2).
public struct PropertyChange: Sendable, Hashable {
    /// The property.
    public let name: DAVName
    /// The new text; nil to remove the property.
    public let text: String?

    /// Reads the changes of a body in order.
    ///
    /// - Throws: ``DAVError/malformedXML(reason:)``.
    public static func changes(in bytes: [UInt8]) throws(DAVError) -> [PropertyChange] {
        let root = try DAVElement(parsing: bytes)
        guard root.name == .dav("propertyupdate") else { throw .malformedXML(reason: "use propertyupdate") }
        var changes: [PropertyChange] = []
        for step in root.children where step.name == .dav("set") || step.name == .dav("remove") {
            for property in step.child(.dav("prop"))?.children ?? [] {
                let text = step.name == .dav("set") ? property.trimmedText : nil
                changes.append(PropertyChange(name: property.name, text: text))
            }
        }
        guard !changes.isEmpty else { throw .malformedXML(reason: "it changes no property") }
        return changes
    }
}

/// A request for a report (RFC 3253, section 3.6).
public enum ReportRequest: Sendable, Hashable {
    /// The changes since a token, or all resources without one (RFC 6578).
    case changes(token: String?, limit: Int?, PropertyRequest)
    /// Some cards.
    case cards(hrefs: [String], PropertyRequest)
    /// Some tasks.
    case tasks(hrefs: [String], PropertyRequest)
    /// The cards that match a filter.
    case cardQuery(CardFilter, limit: Int?, PropertyRequest)
    /// The tasks that match a filter, with the time zone of floating times.
    case taskQuery(CalendarFilter, TimeZone, PropertyRequest)

    /// Reads the body of REPORT.
    ///
    /// - Throws: ``DAVError/malformedXML(reason:)``; ``DAVError/unmetPrecondition(_:)`` for another report or collation.
    public init(parsing bytes: [UInt8]) throws(DAVError) {
        let root = try DAVElement(parsing: bytes)
        let properties = try PropertyRequest(in: root) ?? .some([])
        switch root.name {
        case .dav("sync-collection"):
            let level = root.child(.dav("sync-level"))?.trimmedText ?? "1"
            guard level != "infinite" else { throw .unmetPrecondition(.dav("sync-traversal-supported")) }
            guard level == "1" else { throw .malformedXML(reason: "use sync-level 1") }
            let token = root.child(.dav("sync-token"))?.trimmedText ?? ""
            let limit = try ReportRequest.limit(root.child(.dav("limit")), .dav("nresults"))
            self = .changes(token: token.isEmpty ? nil : token, limit: limit, properties)
        case .card("addressbook-multiget"): self = .cards(hrefs: ReportRequest.hrefs(root), properties)
        case .calendar("calendar-multiget"): self = .tasks(hrefs: ReportRequest.hrefs(root), properties)
        case .calendar("calendar-query"):
            let filter = try root.child(.calendar("filter")).map { filter throws(DAVError) in
                try CalendarFilter(filter)
            }
            self = .taskQuery(filter ?? CalendarFilter(), try ReportRequest.timeZone(root), properties)
        case .card("addressbook-query"):
            let limit = try ReportRequest.limit(root.child(.card("limit")), .card("nresults"))
            let filter = try root.child(.card("filter")).map { filter throws(DAVError) in try CardFilter(filter) }
            self = .cardQuery(filter ?? CardFilter(), limit: limit, properties)
        default: throw .unmetPrecondition(.dav("supported-report"))
        }
    }

    private static func hrefs(_ root: DAVElement) -> [String] {
        root.children.filter { $0.name == .dav("href") }.map(\.trimmedText)
    }

    /// Reads the time zone of a query (RFC 4791, section 9.8; RFC 7809, section 5.2); UTC without one.
    private static func timeZone(_ root: DAVElement) throws(DAVError) -> TimeZone {
        if let id = root.child(.calendar("timezone-id"))?.trimmedText {
            guard let zone = TimeZone(identifier: id) else { throw .unmetPrecondition(.calendar("valid-timezone")) }
            return zone
        }
        guard let text = root.child(.calendar("timezone"))?.trimmedText else { return .gmt }
        guard let calendar = try? CalendarComponent(onlyOneIn: Array(text.utf8)),
            let zone = calendar.components.first(where: { $0.name == "VTIMEZONE" })
        else { throw .unmetPrecondition(.calendar("valid-calendar-data")) }
        return CalendarDateTime.timeZone(zone.property("TZID")?.text ?? "", in: calendar) ?? .gmt
    }

    private static func limit(_ element: DAVElement?, _ name: DAVName) throws(DAVError) -> Int? {
        guard let text = element?.child(name)?.trimmedText else { return nil }
        guard let limit = Int(text), limit > 0 else { throw .malformedXML(reason: "the limit “\(text)” is invalid") }
        return limit
    }
}
