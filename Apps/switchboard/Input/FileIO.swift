import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads and writes whole files.
enum FileIO {
    /// Returns the bytes of a file; `-` is standard input.
    ///
    /// - Throws: An error if the file is missing, cannot be read, or is larger than `limit` bytes.
    static func read(_ path: String, limit: Int) throws -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR {
                throw SwitchboardError(
                    code: "missingFile", message: "there is no file \(path); check the name", file: path,
                    status: .missing)
            }
            throw failure("cannot read", path, errno)
        }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = piece.withUnsafeMutableBytes { posixRead(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw failure("cannot read", path, errno) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            if bytes.count > limit {
                throw SwitchboardError(
                    code: "malformedInput", message: "\(path) is larger than \(limit >> 20) MiB", file: path,
                    status: .malformed)
            }
        }
    }

    /// Writes a file atomically: writes and syncs a temporary file beside it, then renames that.
    ///
    /// - Throws: An error if writing fails. An existing file is then unchanged.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("cannot write", path, errno) }
        var start = 0
        while start < bytes.count {
            let written = bytes[start...].withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            if written < 0 {
                let code = errno
                close(descriptor)
                unlink(temporary)
                throw failure("cannot write", path, code)
            }
            start += written
        }
        let isSynced = fsync(descriptor) == 0
        guard close(descriptor) == 0, isSynced, rename(temporary, path) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure("cannot write", path, code)
        }
    }

    private static func failure(_ action: String, _ path: String, _ code: Int32) -> SwitchboardError {
        SwitchboardError(
            code: "inputOutput", message: "\(action) \(path): \(String(cString: strerror(code)))", file: path,
            status: .inputOutput)
    }
}

// `read` and `write` of the C library, which the methods of the same names hide.
private func posixRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
