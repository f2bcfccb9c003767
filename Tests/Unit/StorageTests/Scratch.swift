import GRDB
import Glibc
import SwitchboardStorage
import Testing

/// A temporary folder, deleted with its contents when the value is released.
final class Scratch: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/storage-tests-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
        }
        precondition(!path.isEmpty, "no temporary folder")
    }

    deinit { _ = run(["rm", "-rf", path]) }

    /// The path of a database in the folder, which does not exist yet.
    var database: String { path + "/people.sqlite" }

    /// The names of all files in the folder, sorted.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func write(_ bytes: [UInt8], to name: String) {
        guard let file = fopen(path + "/" + name, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    func bytes(of name: String) -> [UInt8] {
        guard let file = fopen(path + "/" + name, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Returns the attributes that change when a file is written: its contents, mode and modification time.
    func state(of name: String) -> FileState {
        var info = stat()
        _ = stat(path + "/" + name, &info)
        return FileState(
            bytes: bytes(of: name), mode: info.st_mode & 0o777, seconds: info.st_mtim.tv_sec,
            nanoseconds: info.st_mtim.tv_nsec)
    }
}

struct FileState: Equatable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let mode: UInt32
    let seconds: Int
    let nanoseconds: Int

    var testDescription: String { "\(bytes.count) bytes of \(seconds).\(nanoseconds)" }
}

/// Runs a program and returns its exit status, or the negated signal that ended it.
func run(_ arguments: [String]) -> Int32 {
    guard let process = start(arguments) else { return -1 }
    return wait(for: process)
}

/// Starts a program from the search path.
func start(_ arguments: [String]) -> pid_t? {
    var pointers = arguments.map { strdup($0) }
    pointers.append(nil)
    defer { pointers.forEach { free($0) } }
    var process: pid_t = 0
    guard let name = pointers[0], posix_spawnp(&process, name, nil, nil, pointers, environ) == 0 else { return nil }
    return process
}

func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
}

/// The migrations of a module with one table of notes.
let notes = ModuleMigrations(
    module: "Notes",
    [
        .init("1-notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)")
    ])

/// The migrations of a later version of the same module.
let laterNotes = ModuleMigrations(
    module: "Notes",
    [
        .init("1-notes", sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)"),
        .init("2-colours", sql: "ALTER TABLE note ADD COLUMN colour TEXT NOT NULL DEFAULT 'white'"),
    ])

extension Storage {
    func add(_ text: String) throws {
        try write(changing: "Notes") { db in
            try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text])
        }
    }

    func texts() throws -> [String] {
        try read { db in try String.fetchAll(db, sql: "SELECT text FROM note ORDER BY id") }
    }
}
