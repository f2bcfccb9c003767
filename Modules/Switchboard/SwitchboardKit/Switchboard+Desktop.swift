import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardProspects
import SwitchboardSearchableIndex

extension Switchboard {
    /// The maximum size of a result's picture in bytes; larger ones would slow down the desktop.
    private static let largestDesktopPicture = 1 << 20

    /// Searches on behalf of the desktop: like ``search(_:kinds:limit:isCancelled:)``, but only the kinds that the
    /// settings show.
    ///
    /// - Returns: The results; none for an empty text.
    /// - Throws: The errors of ``search(_:kinds:limit:isCancelled:)``.
    public func searchForDesktop(
        _ text: String, settings: DesktopSettings, limit: Int = 10, isCancelled: CancellationCheck? = nil
    ) throws -> [SearchResult] {
        let input = SearchInput(text)
        if input.isEmpty || settings.shownKinds.isEmpty { return [] }
        return try search(input, kinds: settings.shownKinds, limit: limit, isCancelled: isCancelled).results
    }

    /// Returns the result with the identifier of a ``DesktopRow``; nil if it no longer exists or is not shown.
    ///
    /// - Throws: `StorageError`.
    public func desktopResult(_ id: String, settings: DesktopSettings) throws -> SearchResult? {
        guard let link = DeepLink(url: id), let kind = ResultKind(rawValue: link.kind.rawValue),
            settings.shownKinds.contains(kind)
        else { return nil }
        do {
            return try result(at: link)
        } catch let error as any CodedError where error.details.category == .notFound {
            return nil
        }
    }

    /// Returns the bytes of a contact's photo or an item's thumbnail; nil if there is none or it is larger than 1 MiB.
    ///
    /// - Throws: `StorageError`.
    public func desktopPicture(of result: SearchResult) throws -> [UInt8]? {
        switch result.object {
        case .contact(let contact):
            // Contacts in search results have no photos.
            guard let data = try contacts.photo(of: contact.id)?.data, data.count <= Self.largestDesktopPicture else {
                return nil
            }
            return [UInt8](data)
        case .item(let item, _):
            guard let data = item.item.attributeSet.thumbnailData, data.count <= Self.largestDesktopPicture else {
                return nil
            }
            return [UInt8](data)
        case .prospect, .airport: return nil
        }
    }

    /// Records that a result was chosen in the desktop's search, and returns the ways to open it.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - text: The search text; empty if unknown.
    /// - Throws: The errors of recording the choice.
    public func openingChosen(_ result: SearchResult, for text: String) throws -> Opening {
        _ = try open(result, for: SearchInput(text))
        return try opening(of: result)
    }

    /// Returns the link that continues a search in another front end.
    public func desktopSearchLink(_ text: String) -> String { DeepLink(kind: .find, id: text).url }
}

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
            let phone = result.dialedNumber.flatMap { $0.isEmpty ? nil : $0 }
            description = result.subtitle
            icon = "avatar-default"
            clipboardText = phone ?? contact.emails.first?.address
            actions = DesktopRow.actions(call: result.numberURI, mail: contact.emails.first?.address)
        case .prospect(let prospect):
            description = result.subtitle
            icon = "avatar-default"
            clipboardText = [prospect.email, prospect.phone].first { !$0.isEmpty }
            actions = DesktopRow.actions(call: result.numberURI, mail: prospect.email)
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

    private static func actions(call uri: String?, mail: String?) -> [DesktopAction: String] {
        var actions: [DesktopAction: String] = [:]
        actions[.call] = uri
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

/// The settings of the desktop's search: the kinds of objects that it shows.
///
/// They are stored in the text file `switchboard/desktop.conf` in `$XDG_CONFIG_HOME`, because they belong to a desktop
/// rather than to a database. If the file is missing, all kinds are shown. If it cannot be read, no kind is shown: an
/// error must not reveal hidden objects.
///
/// For example:
///
/// ```text
/// # The kinds that the desktop's search shows: contact, prospect, airport and item.
/// show = airport, item
/// ```
public struct DesktopSettings: Sendable, Hashable {
    /// The kinds that are shown; empty if the desktop's search finds nothing.
    public var shownKinds: Set<ResultKind>

    /// Creates settings that show all kinds.
    public init() { shownKinds = Set(ResultKind.allCases) }

    /// Parses the text of a settings file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - file: The path for errors.
    /// - Throws: ``SwitchboardError`` with the line of the first mistake.
    public init(parsing text: String, file: String) throws(SwitchboardError) {
        self.init()
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            func mistake(_ message: String) -> SwitchboardError {
                SwitchboardError(
                    code: "malformedInput", message: message, file: file, line: index + 1, status: .malformed)
            }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == "show" else {
                throw mistake("cannot read “\(line)”; use show = contact, airport")
            }
            shownKinds = []
            for name in parts[1].split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
                guard let kind = ResultKind(rawValue: String(name)) else {
                    let known = ResultKind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw mistake("unknown kind “\(name)”; use \(known)")
                }
                shownKinds.insert(kind)
            }
        }
    }

    /// Reads a settings file; a missing file shows all kinds.
    ///
    /// - Throws: ``SwitchboardError`` for a file that cannot be read or has a mistake.
    public init(file: String) throws(SwitchboardError) {
        guard FileManager.default.fileExists(atPath: file) else {
            self.init()
            return
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot read \(file); check its permissions", file: file,
                status: .inputOutput)
        }
        try self.init(parsing: String(decoding: data, as: UTF8.self), file: file)
    }

    /// The rows for all kinds, in the order of equally good results.
    public var rows: [DesktopKindRow] {
        ResultKind.allCases.map { DesktopKindRow(kind: $0, isShown: shownKinds.contains($0)) }
    }

    /// The settings as the text of a file.
    public var text: String {
        let kinds = ResultKind.allCases.filter(shownKinds.contains).map(\.rawValue)
        let all = ResultKind.allCases.map(\.rawValue)
        return """
            # The kinds that the desktop's search shows: \(all.dropLast().joined(separator: ", ")) and \(all.last ?? "").
            show = \(kinds.joined(separator: ", "))

            """
    }

    /// Writes the settings to a file atomically, and creates its folder if missing.
    ///
    /// - Throws: ``SwitchboardError`` if the file cannot be written.
    public func write(to file: String) throws(SwitchboardError) {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            throw SwitchboardError(
                code: "inputOutput", message: "cannot write \(file): \(error.localizedDescription)", file: file,
                status: .inputOutput)
        }
    }
}

/// A kind in the settings of the desktop's search: `{"kind", "shown"}`.
public struct DesktopKindRow: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case isShown = "shown"
    }

    /// The kind of objects.
    public let kind: ResultKind
    /// `true` if the desktop's search shows it.
    public let isShown: Bool
}
