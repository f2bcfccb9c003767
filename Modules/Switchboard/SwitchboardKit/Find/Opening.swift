import Foundation
import SwitchboardAirports
import SwitchboardContacts
import SwitchboardDBus
import SwitchboardKeypad
import SwitchboardProspects
public import SwitchboardSearchableIndex
import SwitchboardTextNormalization

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

/// The ways to open an object on a desktop, best first: the owner of an item, its page, or our own view.
///
/// ``Desktop/open(_:activationToken:showsOwnView:)`` tries them in order. A front end that cannot open any shows
/// ``address``.
public struct Opening: Sendable, Hashable {
    /// A way to open an object.
    public enum Step: Sendable, Hashable {
        /// An action of a program, with the activity to continue and, if it concerns an item, the program's own
        /// identifier for it.
        case action(application: String, name: String, activity: UserActivity, item: String?)
        /// A URL to open in a specific program.
        case application(String, url: String)
        /// A URL to open in the user's default program.
        case url(String)
    }

    /// The ways to open the object; the last one is the link to our own view.
    public let steps: [Step]

    init(_ steps: [Step], else url: String) { self.steps = steps + [.url(url)] }

    /// The URL of the first step that has one.
    public var address: String {
        for case .application(_, let url) in steps { return url }
        for case .url(let url) in steps { return url }
        return ""
    }

    /// The identifier of the owner's desktop entry; nil if there is no owner.
    public var owner: String? {
        switch steps.first {
        case .action(let application, _, _, _), .application(let application, _): application
        case .url, nil: nil
        }
    }
}

extension Switchboard {
    /// Returns the ways to open the object that a link refers to.
    ///
    /// - Throws: The errors of the domains if the object does not exist, and `StorageError`.
    public func opening(at link: DeepLink) throws -> Opening {
        switch link.kind {
        case .activity: try opening(of: activities.activity(link.id))
        case .item:
            if let result = try result(at: link) { try opening(of: result) } else { Opening([], else: link.url) }
        case .contact, .prospect, .airport, .find: Opening([], else: link.url)
        }
    }

    /// Returns the ways to open a result.
    ///
    /// - Parameter result: A result. For an item, the ways are complete only if it was read in full, as by
    ///   ``result(at:)``.
    /// - Throws: `StorageError`.
    public func opening(of result: SearchResult) throws -> Opening {
        guard case .item(let item, let name) = result.object else { return Opening([], else: result.link.url) }
        let index = try items(name ?? SearchableIndex.defaultName)
        if index.name == SearchableIndex.defaultName, let id = item.activityIdentifier,
            let stored = try? activities.activity(id)
        {
            return try opening(of: stored)
        }
        return try opening(
            ofItem: item.uniqueIdentifier, in: item.domainIdentifier, of: index, page: item.page, else: result.link)
    }

    /// Returns the ways to open an activity: in its owner, its page, its item, or our own view.
    ///
    /// - Throws: `StorageError`.
    public func opening(of stored: StoredActivity) throws -> Opening {
        let (activity, index) = (stored.activity, try items())
        let content = try activities.destination(of: stored)
        let item: String? = if case .item(let id) = content { id } else { nil }
        let page = activity.webpageURL ?? activity.contentAttributeSet?.url
        let link = DeepLink(kind: .activity, id: stored.id)
        if let owner = try index.owner(ofDomain: activity.domainIdentifier) {
            return Opening(of: activity, by: owner, as: item ?? stored.id, item: item, page: page, else: link)
        }
        if let page { return Opening([.url(page)], else: link.url) }
        switch content {
        case .item(let id):
            if let found = try? result(at: DeepLink(kind: .item, id: id)) { return try opening(of: found) }
        case .url(let url): return Opening([.url(url)], else: link.url)
        case .activity, .query: break
        }
        return Opening([], else: link.url)
    }

    private func opening(
        ofItem id: String, in domain: String?, of index: SearchableIndex, page: String?, else link: DeepLink
    ) throws -> Opening {
        guard let owner = try index.owner(ofDomain: domain) else {
            return Opening(page.map { [.url($0)] } ?? [], else: link.url)
        }
        return Opening(
            of: .choosing(item: owner.identifier(of: id)), by: owner, as: id, item: id, page: page, else: link)
    }
}

extension Opening {
    /// Creates the ways to open an activity in the app of its owner.
    ///
    /// - Parameters:
    ///   - id: The identifier for the owner's URL template.
    ///   - item: The item of the activity, if any.
    ///   - page: The URL of the page to open without the owner, if any.
    ///   - link: The link to our own view.
    fileprivate init(
        of activity: UserActivity, by owner: ItemOwner, as id: String, item: String?, page: String?, else link: DeepLink
    ) {
        var steps: [Step] = []
        if let action = owner.action {
            steps.append(
                .action(
                    application: owner.application, name: action, activity: activity,
                    item: item.map(owner.identifier)))
        }
        if let url = owner.url(of: id) ?? page { steps.append(.application(owner.application, url: url)) }
        if let page { steps.append(.url(page)) }
        self.init(steps, else: link.url)
    }
}

/// The programs of the desktop that open objects and addresses.
public enum Desktop {
    /// The outcome of ``open(_:)``.
    public enum Outcome: Sendable {
        /// A program opened the address.
        case opened
        /// No desktop is running.
        case noDesktop
        /// No program opened the address.
        case failed
    }

    /// The name of Switchboard's search service on the session bus.
    public static let busName = "org.switchboard.Switchboard"

    /// Returns `true` if the service of the desktop's search is installed in one of the data folders.
    public static func isRegistered(in dataFolders: [String]) -> Bool {
        dataFolders.contains { FileManager.default.fileExists(atPath: "\($0)/dbus-1/services/\(busName).service") }
    }

    /// Opens an address, such as `https:`, `mailto:` or `tel:`, in the user's default program for it.
    public static func open(_ address: String) -> Outcome { open(address, activationToken: nil) }

    /// Opens an address like ``open(_:)``, and lets the program bring its window to the front.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - activationToken: The desktop's activation token (XDG Activation), if any.
    public static func open(_ address: String, activationToken: String?) -> Outcome {
        open(Opening([], else: address), activationToken: activationToken)
    }

    /// Opens an object in the first way that works: over D-Bus (Desktop Entry Specification, "D-Bus Activation"), with
    /// the desktop entry of its owner, or in the user's default program for its URL.
    ///
    /// - Parameters:
    ///   - opening: The ways to open the object.
    ///   - activationToken: The desktop's activation token (XDG Activation), if any.
    ///   - showsOwnView: `false` to fail instead of opening our own view.
    public static func open(
        _ opening: Opening, activationToken: String? = nil, showsOwnView: Bool = true
    ) -> Outcome {
        let variables = ProcessInfo.processInfo.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(variables[$0] ?? "").isEmpty }) else {
            return .noDesktop
        }
        let launcher = Launcher(variables: variables, activationToken: activationToken)
        let steps = showsOwnView ? opening.steps[...] : opening.steps.dropLast()
        return steps.contains(where: launcher.perform) ? .opened : .failed
    }
}

/// Starts programs of the desktop.
private struct Launcher {
    let variables: [String: String]
    let activationToken: String?

    /// Returns `true` if a program accepted the object.
    func perform(_ step: Opening.Step) -> Bool {
        switch step {
        case .action(let application, let name, let activity, let item):
            var parameter: [String: DBusValue] = [
                "activityType": .string(activity.activityType), "userInfo": .userInfo(activity.userInfo),
            ]
            if let item { parameter["identifier"] = .string(item) }
            if let page = activity.webpageURL { parameter["webpageURL"] = .string(page) }
            return activate(
                application, "ActivateAction", .string(name), .array([.variant(.dictionary(parameter))], of: "v"))
        case .application(let application, let url):
            return activate(application, "Open", .strings([url])) || launch(application, url) || run("xdg-open", url)
        case .url(let url): return run("xdg-open", url)
        }
    }

    /// Calls a method of `org.freedesktop.Application`, which starts an installed program if it is not running.
    private func activate(_ application: String, _ member: String, _ arguments: DBusValue...) -> Bool {
        // A valid bus name contains a dot.
        guard application.contains("."), let bus = try? DBusConnection() else { return false }
        let path = "/" + application.replacing(".", with: "/").replacing("-", with: "_")
        var platform: [String: DBusValue] = [:]
        if let activationToken {
            platform["activation-token"] = .string(activationToken)
            platform["desktop-startup-id"] = .string(activationToken)
        }
        do {
            try bus.call(
                application, path: path, interface: "org.freedesktop.Application", member,
                arguments + [.dictionary(platform)], timeout: .seconds(25))
            return true
        } catch {
            return false
        }
    }

    /// Opens a URL with a desktop entry.
    private func launch(_ application: String, _ url: String) -> Bool {
        let files = ProcessEnvironment(variables).dataFolders.map { "\($0)/applications/\(application).desktop" }
        guard let file = files.first(where: FileManager.default.fileExists) else { return false }
        return run("gio", "launch", file, url)
    }

    private func run(_ program: String, _ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        if let activationToken {
            process.environment = variables.merging(
                ["XDG_ACTIVATION_TOKEN": activationToken, "DESKTOP_STARTUP_ID": activationToken]
            ) { $1 }
        }
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension DBusValue {
    /// Returns the `userInfo` of an activity as a dictionary. Dates become ISO 8601 texts, and data become bytes.
    fileprivate static func userInfo(_ values: [String: UserInfoValue]) -> DBusValue {
        .dictionary(values.mapValues(DBusValue.init))
    }

    private init(_ value: UserInfoValue) {
        self =
            switch value {
            case .string(let text), .url(let text): .string(text)
            case .number(let number): .double(number)
            case .bool(let flag): .bool(flag)
            case .date(let date): .string(date.formatted(.iso8601))
            case .data(let data): .bytes([UInt8](data))
            case .array(let values): .array(values.map { .variant(DBusValue($0)) }, of: "v")
            case .dictionary(let values): .userInfo(values)
            }
    }
}

extension Switchboard {
    /// The minimum length of an abbreviated identifier.
    private static let shortestPrefix = 4

    /// Returns the identifier of the contact that a text refers to by its identifier, a prefix of it, or its name.
    ///
    /// - Throws: ``SwitchboardError`` if the text is ambiguous, or refers to no contact; then its message suggests
    ///   contacts with a similar name. `StorageError`.
    public func contactIdentifier(_ text: String) throws -> String {
        if let id = try contactIdentifier(ifAny: text) { return id }
        throw notFound(text, "contact", like: try searchContacts(SearchInput(text), limit: 3).results)
    }

    /// Returns the identifier of the contact that a text refers to; nil if there is none.
    ///
    /// - Throws: ``SwitchboardError`` if the text is ambiguous, `StorageError`.
    public func contactIdentifier(ifAny text: String) throws -> String? {
        let book = try contacts
        do {
            return try book.contact(text).id
        } catch ContactBookError.notFound {
            return try identifier(text, "contacts") { start in
                try book.contacts(identifiedFrom: start).map { SearchResult($0) }
            } named: {
                try searchContacts(SearchInput(text), limit: 50).results
            }
        }
    }

    /// Returns the identifier of the removed contact that a text refers to, like ``contactIdentifier(_:)``.
    ///
    /// - Returns: The text itself if it refers to no removed contact.
    public func removedContactIdentifier(_ text: String) throws -> String {
        try identifier(text, amongRemoved: "contacts", contacts.removed().map { SearchResult($0.contact) })
    }

    /// Returns the identifier of the removed prospect that a text refers to, like ``removedContactIdentifier(_:)``.
    public func removedProspectIdentifier(_ text: String) throws -> String {
        try identifier(text, amongRemoved: "prospects", prospects.removed().map { SearchResult($0) })
    }

    private func identifier(_ text: String, amongRemoved kind: String, _ rows: [SearchResult]) throws -> String {
        if rows.contains(where: { $0.id == text }) { return text }
        return try identifier(text, "removed \(kind)") { start in
            rows.filter { $0.id.hasPrefix(start) }
        } named: {
            rows
        } ?? text
    }

    private func notFound(_ text: String, _ kind: String, like rows: [SearchResult]) -> SwitchboardError {
        let names = rows.map { "\($0.title) (\($0.id))" }
        let message =
            names.isEmpty
            ? "no \(kind) has the name or identifier “\(text)”"
            : "no \(kind) is called “\(text)”; did you mean "
                + (names.count == 1
                    ? names[0] : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1])
                + "?"
        return SwitchboardError(code: "notFound", message: message, status: .nothingFound)
    }

    /// Returns the identifier of the prospect that a text refers to, like ``contactIdentifier(_:)`` for contacts.
    public func prospectIdentifier(_ text: String) throws -> String {
        if let id = try prospectIdentifier(ifAny: text) { return id }
        throw notFound(text, "prospect", like: try searchProspects(SearchInput(text), limit: 3).results)
    }

    /// Returns the identifier of the prospect that a text refers to; nil if there is none.
    public func prospectIdentifier(ifAny text: String) throws -> String? {
        let prospects = try prospects
        do {
            return try prospects.prospect(text).id
        } catch ProspectsError.notFound {
            return try identifier(text, "prospects") { start in
                try prospects.prospects(identifiedFrom: start).map { SearchResult($0) }
            } named: {
                try searchProspects(SearchInput(text), limit: 50).results
            }
        }
    }

    private func identifier(
        _ text: String, _ kind: String, identifiedFrom rowsFrom: (String) throws -> [SearchResult],
        named search: () throws -> [SearchResult]
    ) throws -> String? {
        var rows: [SearchResult] = []
        if text.count >= Self.shortestPrefix, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            rows = try rowsFrom(text.lowercased())
        }
        if rows.isEmpty, !text.allSatisfy(\.isWhitespace) {
            // Match only whole words of a name: a prefix could remove a person by accident.
            let name = NameKey(text)
            let named = try search().filter { !name.words.isEmpty && NameKey($0.title).contains(name) }
            let whole = named.filter { NameKey($0.title).text == name.text }
            rows = whole.isEmpty ? named : whole
        }
        guard rows.count > 1 else { return rows.first?.id }
        let list = rows.prefix(5).map { "\($0.id) \($0.title)" }.joined(separator: ", ")
        throw SwitchboardError.usage(
            "“\(text)” means \(rows.count) \(kind): \(list)\(rows.count > 5 ? ", …" : ""); use an identifier")
    }
}
