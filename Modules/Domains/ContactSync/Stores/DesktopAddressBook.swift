import SwitchboardAlgorithms
import SwitchboardDBus

/// An address book of Evolution Data Server, which GNOME Contacts and Evolution also use.
///
/// It is accessed over D-Bus, as their own library does, instead of through libebook, which would bring GLib and its
/// main loop into every program.
struct DesktopAddressBook: Sendable, Hashable {
    /// The URL scheme for desktop address books. On its own, it means all of them.
    static let scheme = "gnome"

    /// The identifier of the source.
    let id: String
    /// The name given by the user.
    let name: String

    /// The path of the address book as a linked folder.
    var path: String { Self.scheme + ":" + id }

    /// Returns the identifier in the path of an address book; nil for a folder.
    static func id(ofPath path: String) -> String? {
        path.hasPrefix(scheme + ":") ? String(path.dropFirst(scheme.utf8.count + 1)) : nil
    }

    /// Connects to the session bus.
    ///
    /// - Throws: ``ContactSyncError/noAddressBooks(reason:)``.
    static func connection() throws(ContactSyncError) -> DBusConnection {
        do {
            return try DBusConnection()
        } catch {
            throw .noAddressBooks(
                reason: error == .noLibrary
                    ? error.text
                    : "the session bus cannot be reached (\(error.text)); use them in a desktop session")
        }
    }

    // MARK: - Listing

    /// Returns the enabled address books, sorted by identifier.
    ///
    /// - Throws: ``ContactSyncError/noAddressBooks(reason:)``.
    static func all(on bus: DBusConnection) throws(ContactSyncError) -> [DesktopAddressBook] {
        let reply: [DBusValue]
        do {
            reply = try bus.call(
                "org.gnome.evolution.dataserver.Sources5", path: "/org/gnome/evolution/dataserver/SourceManager",
                interface: "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", timeout: .seconds(60))
        } catch {
            throw ContactSyncError(error)
        }
        guard case .array(let objects, _)? = reply.first else { return [] }
        return objects.compactMap { object in
            guard case .entry(_, .array(let interfaces, _)) = object else { return nil }
            for case .entry(.string("org.gnome.evolution.dataserver.Source"), let properties) in interfaces {
                guard let members = properties.members, let id = members["UID"]?.text, let data = members["Data"]?.text
                else { continue }
                return DesktopAddressBook(id: id, keyFile: data)
            }
            return nil
        }.sorted { $0.id < $1.id }
    }

    /// Creates the address book of a source; nil if the source is of another kind or disabled.
    private init?(id: String, keyFile: String) {
        var group = ""
        var values: [String: String] = [:]
        for line in keyFile.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                group = String(line)
            } else if let equals = line.firstIndex(of: "=") {
                values[group + line[..<equals]] = String(line[line.index(after: equals)...])
            }
        }
        guard values.keys.contains(where: { $0.hasPrefix("[Address Book]") }),
            values["[Data Source]Enabled"] != "false"
        else { return nil }
        (self.id, name) = (id, values["[Data Source]DisplayName"] ?? id)
    }
}

/// An open address book. It closes when its connection does.
struct OpenAddressBook {
    static let interface = "org.gnome.evolution.dataserver.AddressBook"
    /// The name of the service on the bus.
    static let factory = "org.gnome.evolution.dataserver.AddressBook10"

    private let bus: DBusConnection
    private let service: String
    /// The object path, which differs each time the book is opened.
    let path: String

    /// Opens an address book, which starts the service if it is not running.
    ///
    /// - Throws: `DBusError`.
    init(_ id: String, on bus: DBusConnection) throws(DBusError) {
        let reply = try bus.call(
            Self.factory, path: "/org/gnome/evolution/dataserver/AddressBookFactory",
            interface: "org.gnome.evolution.dataserver.AddressBookFactory", "OpenAddressBook", [.string(id)],
            timeout: .seconds(60))
        guard reply.count == 2, let path = reply[0].text, let service = reply[1].text else {
            throw DBusError(name: "", text: "the address book has another interface than expected")
        }
        (self.bus, self.service, self.path) = (bus, service, path)
        try call("Open")
    }

    @discardableResult
    func call(_ member: String, _ arguments: DBusValue...) throws(DBusError) -> [DBusValue] {
        try bus.call(
            service, path: path, interface: Self.interface, member, arguments, timeout: .seconds(60))
    }

    var isWritable: Bool {
        get throws(DBusError) {
            let reply = try bus.call(
                service, path: path, interface: "org.freedesktop.DBus.Properties", "Get",
                [.string(Self.interface), .string("Writable")])
            return reply.first == .variant(.bool(true))
        }
    }

    /// Returns the cards that match a query (an s-expression), or all.
    func cards(_ query: String = #"(contains "x-evolution-any-field" "")"#) throws(DBusError) -> [String] {
        try call("GetContactList", .string(query)).first?.texts ?? []
    }

    /// Returns the card with an identifier; nil if it does not exist.
    func card(_ id: String) throws(DBusError) -> String? {
        let text = id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return try cards("(is \"id\" \"\(text)\")").first
    }
}

extension ContactSyncError {
    /// Creates the error of a call to Evolution Data Server.
    init(_ error: DBusError) {
        let isMissing = ["ServiceUnknown", "NameHasNoOwner", "Spawn.ExecFailed", "Spawn.FileInvalid"]
            .contains { error.name == "org.freedesktop.DBus.Error." + $0 }
        if isMissing {
            self = .noAddressBooks(
                reason: "Evolution Data Server is not installed; install the package evolution-data-server")
        } else {
            self = .noAddressBooks(reason: error.text)
        }
    }
}

// MARK: - Cards of an address book

/// The cards of a desktop address book, by their UID.
///
/// The service adds lines to the cards that it stores (a revision, for example), so a stamp is the hash of the card as
/// the service returns it. The service does not detect conflicting changes, so a card is read again right before a
/// change.
final class AddressBookCards: CardStore {
    private let book: OpenAddressBook
    private let source: String
    /// Locks syncs of other processes on the same database.
    private let lock: LockedFolder?
    private var snapshot: [String: [UInt8]] = [:]
    let isWritable: Bool

    /// Opens an address book.
    ///
    /// - Parameters:
    ///   - path: The path of the linked address book.
    ///   - folder: The folder to lock during the sync; nil for none.
    /// - Throws: ``ContactSyncError``.
    init(_ path: String, locking folder: String?) throws(ContactSyncError) {
        lock = if let folder { try LockedFolder(folder) } else { nil }
        source = path
        let bus = try DesktopAddressBook.connection()
        do {
            book = try OpenAddressBook(DesktopAddressBook.id(ofPath: path) ?? path, on: bus)
            isWritable = try book.isWritable
        } catch {
            throw ContactSyncError(error)
        }
    }

    // MARK: - Reading

    func listing() throws -> CardListing {
        snapshot = [:]
        // Throws instead of returning a partial list, which would look like a removal of the other cards.
        for text in try allCards() {
            let bytes = Array(text.utf8)
            // A contact list is not a contact.
            if let id = Self.identifier(of: bytes) { snapshot[id] = bytes }
        }
        return CardListing(cards: snapshot.mapValues(Self.stamp))
    }

    private func allCards() throws(ContactSyncError) -> [String] {
        do { return try book.cards() } catch { throw ContactSyncError(error) }
    }

    var reading: Reading {
        { [snapshot] name throws(FolderFile.Failure) in
            guard let bytes = snapshot[name] else { throw .missing }
            return (bytes, Self.stamp(of: bytes))
        }
    }

    private static func stamp(of bytes: [UInt8]) -> FileStamp {
        FileStamp(
            modified: 0, changed: 0, size: Int64(bytes.count), inode: Int64(bitPattern: StableHash.of(bytes)))
    }

    /// Returns the UID of a card; nil for a contact list.
    private static func identifier(of bytes: [UInt8]) -> String? {
        var id: String?
        // A folded line continues after a space.
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\n ", with: "")
        for line in text.split(separator: "\n") {
            if line.hasPrefix("UID:") { id = String(line.dropFirst(4)) }
            if line.uppercased().hasPrefix("X-EVOLUTION-LIST:TRUE") { return nil }
        }
        return id
    }

    // MARK: - Writing

    func stage(
        _ bytes: [UInt8], as name: String, replacing stamp: FileStamp?
    ) throws(FolderFile.Failure) -> any StagedCard {
        AddressBookChange(name: name, bytes: bytes, replaced: stamp, cards: self)
    }

    func remove(_ name: String, _ stamp: FileStamp) throws(FolderFile.Failure) {
        try check(name, stamp)
        do {
            try book.call("RemoveContacts", .strings([name]), .uint32(0))
        } catch {
            throw .refused(error.text)
        }
        snapshot[name] = nil
    }

    fileprivate func commit(
        _ bytes: [UInt8], as name: String, replacing stamp: FileStamp?
    ) throws(FolderFile.Failure) -> StoredCard {
        if let stamp { try check(name, stamp) } else if try card(name) != nil { throw .exists }
        var name = name
        do {
            let card = DBusValue.strings([String(decoding: bytes, as: UTF8.self)])
            if stamp == nil {
                // Some services assign their own identifier.
                name = try book.call("CreateContacts", card, .uint32(0)).first?.texts?.first ?? name
            } else {
                try book.call("ModifyContacts", card, .uint32(0))
            }
        } catch {
            throw .refused(error.text)
        }
        let stored = try card(name) ?? bytes
        snapshot[name] = stored
        return StoredCard(name: name, bytes: stored, stamp: Self.stamp(of: stored))
    }

    /// Throws an error if a card has changed since it was read.
    private func check(_ name: String, _ stamp: FileStamp) throws(FolderFile.Failure) {
        guard let bytes = try card(name) else { throw .missing }
        guard Self.stamp(of: bytes) == stamp else { throw .changed }
    }

    private func card(_ name: String) throws(FolderFile.Failure) -> [UInt8]? {
        do { return try book.card(name).map { Array($0.utf8) } } catch { throw .refused(error.text) }
    }

    func names(for identifier: String, id: String) -> [String] { [identifier] }

    func synchronize() {}

    func path(of name: String) -> String { source + "/" + name }
}

/// A change to a card that has not been sent to the service yet.
private final class AddressBookChange: StagedCard {
    private let name: String
    private let bytes: [UInt8]
    private let replaced: FileStamp?
    private let cards: AddressBookCards

    init(name: String, bytes: [UInt8], replaced: FileStamp?, cards: AddressBookCards) {
        (self.name, self.bytes, self.replaced, self.cards) = (name, bytes, replaced, cards)
    }

    func synchronize() {}

    func commit() throws(FolderFile.Failure) -> StoredCard { try cards.commit(bytes, as: name, replacing: replaced) }
}
