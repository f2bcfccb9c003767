import Foundation
import SwitchboardKit
import Synchronization

// Each `unsafe` is a system call that is safe for the same reason: a string is passed as a NUL-terminated copy that
// lives until the call returns, a buffer with its size, and results are written to local variables.

enum StandardStreams {
    /// Opens missing standard streams and restores the default action of SIGPIPE.
    ///
    /// If a standard stream is closed (`>&-`), the next opened file gets its descriptor: the database would become
    /// standard output. A missing stream is therefore opened on `/dev/null` in the wrong direction, so using it fails.
    static func secure() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // If the parent process ignored SIGPIPE, writes to a closed pipe would report errors.
        signal(SIGPIPE, SIG_DFL)
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Reads the available bytes, waiting for at least one; reads none at the end of the input.
    static func read(
        _ descriptor: Int32, upTo limit: Int, name: String, file: String
    ) throws(SwitchboardError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var result = 0
            repeat {
                result = unsafe Foundation.read(descriptor, buffer.baseAddress, limit)
            } while result < 0 && errno == EINTR
            if result < 0 { code = errno }
            count = max(0, result)
        }
        if code != 0 { throw .inputOutput("cannot read \(name)", code, file: file) }
        return bytes
    }

    /// Writes all bytes and returns the error code, or `nil` on success.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var start = 0
        while start < bytes.count {
            let written = unsafe bytes[start...].withUnsafeBytes {
                unsafe Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if written > 0 {
                start += written
            } else if written == 0 || errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Writes a text to standard error, ignoring errors.
    static func writeError(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }
}

extension SwitchboardError {
    /// Returns an error that includes the message for a system error code.
    static func inputOutput(_ problem: String, _ code: Int32, file: String? = nil) -> SwitchboardError {
        SwitchboardError(
            code: "inputOutput", message: "\(problem): \(unsafe String(cString: strerror(code)))", file: file,
            status: .inputOutput)
    }
}

/// Reads a file in chunks of bounded size; `-` is standard input.
final class FileReader: Sendable {
    /// The name of the file as given, or "standard input".
    let name: String
    /// The size in bytes, or `nil` if it is unknown in advance.
    let size: Int?

    private let descriptor: Int32
    private let bytesRead = Atomic<Int>(0)

    init(_ path: String) throws(SwitchboardError) {
        name = path == "-" ? "standard input" : path
        if path == "-" {
            descriptor = STDIN_FILENO
            size = nil
            return
        }
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR {
                throw SwitchboardError(
                    code: "missingFile", message: "there is no file \(path); check the name", file: path,
                    status: .missing)
            }
            throw .inputOutput("cannot read \(path)", errno, file: path)
        }
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        size = isFile ? Int(status.st_size) : nil
    }

    deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

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

    /// Runs a function that replaces a file, and keeps an existing regular file under its name with `~` appended.
    ///
    /// - Returns: The new path of the existing file; nil if there was none.
    static func keepingEarlier(_ path: String, _ replace: () throws -> Void) throws -> String? {
        var status = stat()
        // Safe here and below: the system reads each path and fills the status during its call only.
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            try replace()
            return nil
        }
        let (earlier, kept) = (path + "~", "\(path).\(getpid()).earlier")
        _ = unsafe unlink(kept)
        // A hard link is cheapest, but some file systems do not support it.
        if unsafe link(path, kept) != 0 { try FileManager.default.copyItem(atPath: path, toPath: kept) }
        do {
            try replace()
        } catch {
            _ = unsafe unlink(kept)
            throw error
        }
        guard unsafe rename(kept, earlier) == 0 else {
            throw SwitchboardError.inputOutput("cannot write \(earlier)", errno, file: earlier)
        }
        return earlier
    }

    /// Writes a file atomically: writes and syncs a temporary file in the same folder, then renames it.
    ///
    /// - Returns: The new path of an existing file, see ``keepingEarlier(_:_:)``.
    /// - Throws: An error if writing fails. An existing file is then unchanged.
    @discardableResult
    static func write(_ bytes: [UInt8], to path: String) throws -> String? {
        try keepingEarlier(path) { try replace(path, by: bytes) }
    }

    private static func replace(_ path: String, by bytes: [UInt8]) throws {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SwitchboardError.inputOutput("cannot write \(path)", errno, file: path) }
        var failure = StandardStreams.write(bytes, to: descriptor)
        if failure == nil, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0, failure == nil { failure = errno }
        if failure == nil, unsafe rename(temporary, path) != 0 { failure = errno }
        guard let failure else { return }
        unsafe unlink(temporary)
        throw SwitchboardError.inputOutput("cannot write \(path)", failure, file: path)
    }
}

/// Buffered standard output.
///
/// The next ``flush()`` throws the error of a failed write. Output after a failed write is discarded.
final class StandardOutput {
    private var buffer: [UInt8] = []
    private var failure: Int32?
    private static let bufferSize = 1 << 16

    func write(_ text: String) { write(text.utf8) }

    func write(_ bytes: some Sequence<UInt8>) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { empty() }
    }

    func flush() throws {
        empty()
        if let failure { throw SwitchboardError.inputOutput("cannot write standard output", failure) }
    }

    private func empty() {
        if failure == nil { failure = StandardStreams.write(buffer, to: STDOUT_FILENO) }
        buffer.removeAll(keepingCapacity: true)
    }
}
