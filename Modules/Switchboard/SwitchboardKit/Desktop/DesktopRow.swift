import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardProspects
import SwitchboardSearchableIndex

/// An action on a result of the desktop's search, other than opening it.
public enum DesktopAction: String, Sendable, CaseIterable {
    /// Call the first number.
    case call
    /// Compose a message to the first e-mail address.
    case mail

    /// The label for people.
    public var label: String {
        switch self {
        case .call: "Call"
        case .mail: "Write an e-mail"
        }
    }

    /// The name of an icon (Icon Naming Specification).
    public var icon: String {
        switch self {
        case .call: "call-start"
        case .mail: "mail-message-new"
        }
    }
}

/// A result in the form that the desktop's search shows.
public struct DesktopRow: Sendable, Hashable {
    /// The identifier of the row on the desktop: the link to the object.
    public let id: String
    /// The title, shown in the first line.
    public let title: String
    /// The second line; may be empty.
    public let description: String
    /// The name of an icon (Icon Naming Specification).
    public let icon: String
    /// The text to copy: a number, an e-mail address, a code or a URL; nil if there is none.
    public let clipboardText: String?
    /// The URLs of the actions that the object supports.
    public let actions: [DesktopAction: String]

    /// Creates the row for a result.
    public init(_ result: SearchResult) {
        id = result.desktopLink.url
        title = result.title
        switch result.object {
        case .contact(let contact):
            let phone = contact.phones.first.map { $0.number.e164 ?? $0.number.text }
            description = result.subtitle
            icon = "avatar-default"
            clipboardText = phone ?? contact.emails.first?.address
            actions = DesktopRow.actions(phone: phone, mail: contact.emails.first?.address)
        case .prospect(let prospect):
            description = result.subtitle
            icon = "avatar-default"
            clipboardText = [prospect.email, prospect.phone].first { !$0.isEmpty }
            actions = DesktopRow.actions(phone: prospect.phone, mail: prospect.email)
        case .airport(let airport, _):
            description = airport.code + (result.subtitle.isEmpty ? "" : " · \(result.subtitle)")
            icon = "mark-location"
            clipboardText = airport.code
            actions = [:]
        case .item(let item, _):
            description = result.subtitle
            icon = item.activityIdentifier == nil ? "text-x-generic" : "document-open-recent"
            clipboardText = item.page
            actions = [:]
        }
    }

    private static func actions(phone: String?, mail: String?) -> [DesktopAction: String] {
        var actions: [DesktopAction: String] = [:]
        actions[.call] = phone.flatMap { Detail.telephone($0) }
        actions[.mail] = mail.flatMap { Detail.mail($0) }
        return actions
    }
}

extension SearchResult {
    /// The link to the object itself, even if it is the item of an activity.
    fileprivate var desktopLink: DeepLink {
        if case .item(_, let index) = object { return DeepLink(kind: .item, id: id, index: index) }
        return link
    }
}

extension StoredItem {
    /// The URL of the item's content; nil if it has none.
    var page: String? {
        guard let page = item.attributeSet.url, !page.isEmpty else { return nil }
        return page
    }
}
