import Glibc
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

// MARK: - Folders of files

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

/// The card files of a folder with their stamps. No file is read.
///
/// A vdir (https://vdirsyncer.pimutils.org/en/stable/vdir.html) has one card per file. Hidden files, folders and files
/// that end in `.tmp` do not belong to it.
struct FolderListing {
    /// The stamps of files that end in `.vcf`, by name. Symbolic links are followed.
    private(set) var files: [String: FileStamp] = [:]
    private(set) var unreadable: [(name: String, reason: String)] = []
    /// The names of subfolders.
    private(set) var folders: [String] = []
    /// The names of staged files, left by a killed process.
    private(set) var stagedFiles: [String] = []

    // Each `unsafe` is safe because the folder is open until the end of `init`, an entry and its name, which ends with
    // NUL, are read before the next one, and results are written to local variables.

    /// Lists a folder. 10,000 files take about 15 ms.
    init(of path: String) throws(ContactSyncError) {
        guard let folder = unsafe opendir(path) else { throw ContactSyncError(errno, path: path) }
        defer { unsafe closedir(folder) }
        let descriptor = unsafe dirfd(folder)
        while true {
            errno = 0
            guard let entry = unsafe readdir(folder) else {
                // A partial listing would look like a removal of the other files.
                guard errno == 0 else {
                    throw ContactSyncError.unreadable(path: path, reason: systemErrorMessage(errno))
                }
                break
            }
            // The name ends at the first zero byte; the entry has a system-defined length.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
            }
            guard let name else {
                unreadable.append((name: "a file", reason: "its name is not UTF-8; rename it"))
                continue
            }
            if name.hasPrefix(".") {
                let isOurs = name.hasPrefix(FolderFile.temporaryPrefix) && name.hasSuffix(FolderFile.temporarySuffix)
                if isOurs { stagedFiles.append(name) }
                continue
            }
            add(name, in: descriptor)
        }
    }

    private mutating func add(_ name: String, in descriptor: Int32) {
        guard FolderListing.isCard(name) else {
            var info = stat()
            if unsafe fstatat(descriptor, name, &info, 0) == 0, info.st_mode & S_IFMT == S_IFDIR {
                folders.append(name)
            }
            return
        }
        var info = stat()
        guard unsafe fstatat(descriptor, name, &info, 0) == 0 else {
            let code = errno
            var link = stat()
            // Removed since it was listed, or a dangling link.
            if code == ENOENT, unsafe fstatat(descriptor, name, &link, AT_SYMLINK_NOFOLLOW) != 0 { return }
            unreadable.append(
                (name, code == ENOENT ? "the target of the link does not exist" : systemErrorMessage(code)))
            return
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG: files[name] = FileStamp(info)
        case S_IFDIR: return
        default: unreadable.append((name, "not a regular file"))
        }
    }

    /// Returns `true` for a visible name that ends in `.vcf`, ignoring case.
    private static func isCard(_ name: String) -> Bool {
        !name.hasPrefix(".") && name.utf8.count > 4 && name.lowercased().hasSuffix(".vcf")
    }
}

/// A folder locked against syncs of other processes (`flock`). The system releases the lock when the process ends.
final class LockedFolder {
    let path: String
    private let folder: OpenFile

    /// Locks a folder, waiting up to ten seconds.
    init(_ path: String) throws(ContactSyncError) {
        guard let folder = OpenFile(path, O_RDONLY | O_DIRECTORY) else { throw ContactSyncError(errno, path: path) }
        self.path = path
        self.folder = folder
        for _ in 0..<200 {
            // Without support for locks in the file system, the folder stays unlocked.
            if flock(self.folder.descriptor, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR) {
                return
            }
            usleep(50_000)
        }
        throw ContactSyncError.folderBusy(path: path)
    }

    var isWritable: Bool { FileSystem.permits(W_OK, to: path) }

    /// Writes changed directory entries to the disk.
    func synchronize() { _ = fsync(folder.descriptor) }

    /// Removes staged files that a killed process left. Only the owner of the lock creates files with such names.
    fileprivate func removeStagedFiles(_ names: [String]) {
        // Safe: as in `FileSystem`.
        for name in names { unsafe unlinkat(folder.descriptor, name, 0) }
    }

    /// Returns the absolute path of a folder with symbolic links resolved.
    static func path(of path: String) throws(ContactSyncError) -> String {
        guard let text = FileSystem.resolved(path) else {
            throw errno == EILSEQ
                ? .unreadable(path: path, reason: "its name is not UTF-8") : ContactSyncError(errno, path: path)
        }
        guard let info = FileSystem.attributes(of: text), info.st_mode & S_IFMT == S_IFDIR else {
            throw ContactSyncError.unreadable(path: path, reason: "it is not a folder")
        }
        return text
    }
}

func systemErrorMessage(_ code: Int32) -> String {
    FileSystem.reason(code).lowercased()
}
