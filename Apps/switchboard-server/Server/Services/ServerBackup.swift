import Foundation
import SwitchboardAccounts
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage
import Synchronization

/// A backup of a server: a folder with a copy of each database, all of one moment, and `backup.json`.
///
/// The backup has the form of a data folder. `backup.json` is written last, so a folder with it is complete.
struct ServerBackup {
    /// The folder of the backup.
    let folder: String

    private var manifest: String { folder + "/backup.json" }

    /// The content of `backup.json`.
    private struct Manifest: Codable {
        var version = Switchboard.version
        let createdAt: String
        /// The identifiers of the people.
        let people: [String]
    }

    // MARK: - Writing

    /// Copies all databases of a server that may be running, as of one moment, and returns the number of people.
    ///
    /// For the time that opening the databases takes, less than a millisecond for each, changes wait.
    ///
    /// - Throws: `SwitchboardError` if the folder exists, ``MissingDatabase``, `StorageError`.
    func write(_ store: DataStore) throws -> Int {
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw SwitchboardError(
                code: "exists", message: "\(folder) already exists; choose another folder", file: folder,
                status: .usage)
        }
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder + "/people", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        let target = DataStore(folder: folder)
        let shared = try store.publicStorage()
        // Holding it keeps people from being added and deleted.
        return try shared.write { _ in
            let people = try store.accounts(shared).list()
            for person in people { try store.requireDatabase(of: person.id) }
            func open() throws -> [Storage] {
                try [store.publicStorage()] + people.map { try Switchboard(store.settings(of: $0.id)).storage }
            }
            let paths = [target.publicFile] + people.map { target.file(of: $0.id) }
            let (held, copied) = (try open(), try open())
            let areOpen = DispatchSemaphore(value: 0)
            let copy = StackThread(depth: copied.count) {
                defer { areOpen.signal() }
                try Self.copy(zip(copied, paths).map { ($0, $1) }[...]) { _ = areOpen.signal() }
            }
            // The accounts are held by this transaction.
            let hold = StackThread(depth: held.count) {
                try Self.writing(held.dropFirst()) {
                    copy.start()
                    areOpen.wait()
                }
            }
            hold.start()
            try hold.join()
            try copy.join()
            let manifest = Manifest(createdAt: Date().formatted(.iso8601), people: people.map(\.id))
            try Data(OrderedJSON.bytes(manifest)).write(to: URL(fileURLWithPath: self.manifest), options: .atomic)
            return people.count
        }
    }

    /// Opens a snapshot of each storage, calls a closure, and copies the snapshots to files.
    private static func copy(
        _ storages: ArraySlice<(storage: Storage, path: String)>, _ haveOpened: () -> Void
    ) throws {
        guard let (storage, path) = storages.first else { return haveOpened() }
        try storage.read { db in
            // A snapshot begins with the first statement.
            _ = try Storage.generation(of: Accounts.module, in: db)
            try copy(storages.dropFirst(), haveOpened)
            try storage.backup(to: path)
        }
    }

    /// Calls a closure while each storage is locked for writing.
    private static func writing(_ storages: ArraySlice<Storage>, _ body: () throws -> Void) throws {
        guard let first = storages.first else { return try body() }
        try first.write { _ in try writing(storages.dropFirst(), body) }
    }

    // MARK: - Restoring

    /// Puts all databases back, and returns the number of people. The former ones are moved to `replaced-N` in the data
    /// folder.
    ///
    /// - Parameter isTrial: `true` to restore into a temporary folder, which shows that it would succeed.
    /// - Throws: `SwitchboardError` if the folder is no backup or a server uses the data folder, `StorageError`.
    func restore(to store: DataStore, isTrial: Bool = false) throws -> Int {
        let people = try people()
        let files = FileManager.default
        let parent = isTrial ? NSTemporaryDirectory() : store.folder
        try files.createDirectory(
            atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = isTrial ? nil : try FolderLock(store.folder)
        guard isTrial || lock != nil else {
            throw SwitchboardError(
                code: "inUse", message: "a server uses \(store.folder); stop it first", file: store.folder,
                status: .tryAgain)
        }
        let restored = DataStore(folder: "\(parent)/restoring-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? files.removeItem(atPath: restored.folder) }
        try files.createDirectory(
            atPath: restored.folder + "/people", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let source = DataStore(folder: folder)
        _ = try Storage.restore(
            at: restored.publicFile, from: source.publicFile, migrations: Server.migrations)
        for person in people { try restored.restore(person, from: source.file(of: person)) }
        if isTrial { return people.count }
        let replaced = try Self.unusedFolder(in: store.folder)
        // A server that starts at any time in between refuses to, or answers that data is missing.
        try Self.move(["people", "people.index"], from: store.folder, to: replaced)
        try Self.move(["people"], from: restored.folder, to: store.folder)
        try Self.move(
            ["", "-wal", "-shm", ".index"].map { $0 == ".index" ? "public.index" : "public.sqlite" + $0 },
            from: store.folder, to: replaced)
        try Self.move(["public.sqlite"], from: restored.folder, to: store.folder)
        _ = lock
        return people.count
    }

    /// Returns the people of a complete backup.
    private func people() throws -> [String] {
        guard let data = FileManager.default.contents(atPath: manifest),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: data)
        else {
            throw SwitchboardError(
                code: "missing", message: "\(folder) is no complete backup; use a folder that 'backup' has written",
                file: folder, status: .missing)
        }
        return manifest.people
    }

    private static func unusedFolder(in folder: String) throws -> String {
        var number = 1
        while FileManager.default.fileExists(atPath: "\(folder)/replaced-\(number)") { number += 1 }
        let name = "\(folder)/replaced-\(number)"
        try FileManager.default.createDirectory(
            atPath: name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return name
    }

    private static func move(_ names: [String], from source: String, to target: String) throws {
        for name in names where FileManager.default.fileExists(atPath: "\(source)/\(name)") {
            try FileManager.default.moveItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)")
        }
    }
}

/// A thread with a stack for closures that are nested once for each database of a server.
private final class StackThread: Sendable {
    /// More than a nested access takes, and address space only.
    private static let bytesPerLevel = 32 << 10

    private let depth: Int
    private let body: @Sendable () throws -> Void
    private let result = Mutex<Result<Void, any Error>>(.success(()))
    private let hasEnded = DispatchSemaphore(value: 0)

    init(depth: Int, _ body: @escaping @Sendable () throws -> Void) {
        (self.depth, self.body) = (depth, body)
    }

    func start() {
        let thread = Thread {
            let result = Result { try self.body() }
            self.result.withLock { $0 = result }
            self.hasEnded.signal()
        }
        thread.stackSize = (8 << 20) + depth * Self.bytesPerLevel
        thread.start()
    }

    /// Waits for the end, and throws the error of the body.
    func join() throws {
        hasEnded.wait()
        try result.withLock { $0 }.get()
    }
}

/// The lock of a data folder, which a server holds while it runs.
final class FolderLock: Sendable {
    private let file: Int32

    /// Returns nil if another process holds the lock.
    ///
    /// - Throws: `StorageError` if the folder cannot be written.
    init?(_ folder: String) throws {
        let path = folder + "/server.lock"
        // Safe: the system call gets a NUL-terminated text.
        file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.cannotOpen(path: path, reason: "the file cannot be created") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            _ = close(file)
            return nil
        }
    }

    deinit { _ = close(file) }
}
