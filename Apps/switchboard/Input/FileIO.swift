import Foundation
import SwitchboardKit
import Synchronization

/// Reads a file in chunks of bounded size; `-` is standard input.
final class FileReader: Sendable {
    /// The name of the file as given, or "standard input".
    let name: String
    /// The size in bytes, or `nil` if it is unknown in advance.
    let size: Int?

    private let descriptor: Int32
    private let bytesRead = Atomic<Int>(0)

    /// Opens a file.
    ///
    /// - Throws: An error if the file is missing or cannot be read.
    init(_ path: String) throws(SwitchboardError) {
        name = path == "-" ? "standard input" : path
        if path == "-" {
            descriptor = STDIN_FILENO
            size = nil
            return
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR {
                throw SwitchboardError(
                    code: "missingFile", message: "there is no file \(path); check the name", file: path,
                    status: .missing)
            }
            throw .inputOutput("cannot read \(path)", errno, file: path)
        }
        var status = stat()
        size = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

    /// The number of bytes read so far.
    var position: Int { bytesRead.load(ordering: .relaxed) }

    /// Returns the next bytes, or an empty array at the end of the file.
    @Sendable func next() throws -> [UInt8] {
        let bytes = try StandardStreams.read(descriptor, upTo: 1 << 18, name: name, file: name)
        bytesRead.add(bytes.count, ordering: .relaxed)
        return bytes
    }
}

/// Reads and writes whole files.
enum FileIO {
    /// Returns the bytes of a file; `-` is standard input.
    ///
    /// - Throws: An error if the file is missing, cannot be read, or is larger than `limit` bytes.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let reader = try FileReader(path)
        var bytes: [UInt8] = []
        while case let chunk = try reader.next(), !chunk.isEmpty {
            bytes += chunk
            if bytes.count > limit {
                throw SwitchboardError(
                    code: "malformedInput", message: "\(path) is larger than \(limit >> 20) MiB", file: path,
                    status: .malformed)
            }
        }
        return bytes
    }

    /// Writes a file atomically: writes and syncs a temporary file beside it, then renames that.
    ///
    /// - Throws: An error if writing fails. An existing file is then unchanged.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SwitchboardError.inputOutput("cannot write \(path)", errno, file: path) }
        var failure = StandardStreams.write(bytes, to: descriptor)
        if failure == nil, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == nil { failure = errno }
        if failure == nil, rename(temporary, path) != 0 { failure = errno }
        guard let failure else { return }
        unlink(temporary)
        throw SwitchboardError.inputOutput("cannot write \(path)", failure, file: path)
    }
}
