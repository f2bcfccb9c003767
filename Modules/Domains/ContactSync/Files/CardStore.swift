import SwitchboardStorage

/// The storage for the cards of a linked source: the files of a folder, or a desktop address book.
protocol CardStore: AnyObject {
    /// A function that reads a card and may be called on any thread.
    typealias Reading = @Sendable (_ name: String) throws(FolderFile.Failure) -> (bytes: [UInt8], stamp: FileStamp)

    /// `true` if cards can be changed.
    var isWritable: Bool { get }
    var reading: Reading { get }

    /// Lists the cards without reading them.
    func listing() throws -> CardListing

    /// Stages new bytes for a card.
    ///
    /// - Parameter stamp: The stamp of the card when it was read; nil for a new card. A card that changed since then
    ///   is left as it is.
    func stage(
        _ bytes: [UInt8], as name: String, replacing stamp: FileStamp?
    ) throws(FolderFile.Failure) -> any StagedCard

    /// Removes a card that has not changed since it was read.
    func remove(_ name: String, _ stamp: FileStamp) throws(FolderFile.Failure)

    /// Returns the names for a new card in order of preference.
    func names(for identifier: String, id: String) -> [String]

    /// Waits until changes are durable.
    func synchronize()

    /// Returns the name of a card to show to users.
    func path(of name: String) -> String
}

/// New bytes for a card that are not committed yet.
protocol StagedCard: AnyObject {
    /// Waits until the bytes are on the disk. ``commit()`` throws an error that occurs here.
    func synchronize()

    /// Commits the bytes.
    ///
    /// - Returns: The card as stored, which may differ from the staged bytes.
    func commit() throws(FolderFile.Failure) -> StoredCard
}

/// A card as it is stored.
struct StoredCard {
    var name: String
    var bytes: [UInt8]
    var stamp: FileStamp
}

/// The cards of a source with their stamps.
struct CardListing {
    /// The stamps of cards by name.
    var cards: [String: FileStamp] = [:]
    var unreadable: [(name: String, reason: String)] = []
}

/// The files of a locked folder.
final class FolderCards: CardStore {
    private let locked: LockedFolder
    private let path: String

    init(_ path: String) throws(ContactSyncError) {
        locked = try LockedFolder(path)
        self.path = path
    }

    var isWritable: Bool { locked.isWritable }

    var reading: Reading {
        { [path] name throws(FolderFile.Failure) in try FolderFile(name, in: path).read() }
    }

    func listing() throws -> CardListing {
        let listing = try FolderListing(of: path)
        locked.removeStagedFiles(listing.stagedFiles)
        return CardListing(cards: listing.files, unreadable: listing.unreadable)
    }

    func stage(
        _ bytes: [UInt8], as name: String, replacing stamp: FileStamp?
    ) throws(FolderFile.Failure) -> any StagedCard {
        let file = FolderFile(name, in: path)
        let staged = if let stamp { try file.stageReplacement(of: stamp, by: bytes) } else { try file.stageNew(bytes) }
        return FolderCard(name: name, bytes: bytes, staged: staged)
    }

    func remove(_ name: String, _ stamp: FileStamp) throws(FolderFile.Failure) {
        try FolderFile(name, in: path).remove(stamp)
    }

    /// `UID.vcf` comes first, if it is portable.
    func names(for identifier: String, id: String) -> [String] {
        let isPlain = identifier.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || "-_.@+".unicodeScalars.contains(scalar)
        }
        let isPortable = isPlain && !identifier.hasPrefix(".") && !identifier.isEmpty && identifier.utf8.count <= 200
        return (isPortable ? [identifier + ".vcf"] : []) + [id + ".vcf", id + "-" + Storage.newIdentifier() + ".vcf"]
    }

    func synchronize() { locked.synchronize() }

    func path(of name: String) -> String { FolderFile(name, in: path).path }
}

/// A staged file of a folder.
private final class FolderCard: StagedCard {
    private let name: String
    private let bytes: [UInt8]
    private let staged: StagedFile

    init(name: String, bytes: [UInt8], staged: StagedFile) {
        (self.name, self.bytes, self.staged) = (name, bytes, staged)
    }

    func synchronize() { staged.synchronize() }

    func commit() throws(FolderFile.Failure) -> StoredCard {
        StoredCard(name: name, bytes: bytes, stamp: try staged.commit())
    }
}
