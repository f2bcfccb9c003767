import SwitchboardKit
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads a file in chunks of bounded size; `-` is standard input.
final class ChunkedFileReader: Sendable {
    /// The name of the file as given, or "standard input".
    let name: String
    /// The size in bytes, or `nil` if it is unknown in advance.
    let size: Int?

    private let descriptor: Int32
    private let bytesRead = Atomic<Int>(0)
    private static let chunkSize = 1 << 18

    /// Opens a file.
    ///
    /// - Throws: An error if the file is missing or cannot be read.
    init(_ path: String) throws {
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
            throw Self.failure(path, errno)
        }
        var status = stat()
        size = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

    /// The number of bytes read so far.
    var position: Int { bytesRead.load(ordering: .relaxed) }

    /// Returns the next bytes, or an empty array at the end of the file.
    @Sendable func next() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.chunkSize)
        while true {
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure(name, errno) }
            bytesRead.add(count, ordering: .relaxed)
            bytes.removeLast(bytes.count - count)
            return bytes
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> SwitchboardError {
        SwitchboardError(
            code: "inputOutput", message: "cannot read \(path): \(String(cString: strerror(code)))", file: path,
            status: .inputOutput)
    }
}
