import SwitchboardAlgorithms
import SwitchboardDBus

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
