package import Glibc

/// System calls that take a path.
///
/// Each `unsafe` is safe for the same reason: a string is passed as a NUL-terminated copy that lives until the call
/// returns, and results are written to a local variable. After a failure, `errno` has the reason.
package enum FileSystem {
    /// Returns the attributes of the file at a path, following links; nil if they cannot be read.
    package static func attributes(of path: String) -> stat? {
        var attributes = stat()
        return unsafe stat(path, &attributes) == 0 ? attributes : nil
    }

    /// Returns the attributes of a file without following a link; nil if they cannot be read.
    package static func linkAttributes(of path: String) -> stat? {
        var attributes = stat()
        return unsafe lstat(path, &attributes) == 0 ? attributes : nil
    }

    /// Returns the absolute path with symbolic links resolved; nil if that fails, with `EILSEQ` for a path that is not
    /// UTF-8.
    package static func resolved(_ path: String) -> String? {
        // Safe: with nil, realpath allocates a NUL-terminated text, which is freed after it was copied.
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        guard let text = unsafe String(validatingCString: resolved) else {
            errno = EILSEQ
            return nil
        }
        return text
    }

    /// Returns true if this process has access to a file: `R_OK`, `W_OK`.
    package static func permits(_ access: Int32, to path: String) -> Bool { unsafe Glibc.access(path, access) == 0 }

    /// Creates a folder for this user alone.
    package static func createFolder(_ path: String) -> Bool { unsafe mkdir(path, 0o700) == 0 }

    /// Creates an empty file for this user alone without opening it.
    package static func createFile(_ path: String) -> Bool { unsafe mknod(path, S_IFREG | 0o600, 0) == 0 }

    /// Renames a file, replacing an existing one.
    package static func rename(_ path: String, to target: String) -> Bool { unsafe Glibc.rename(path, target) == 0 }

    @discardableResult
    package static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

    /// Returns the system's description of an error, such as "File name too long".
    package static func reason(_ code: Int32) -> String {
        // Safe: strerror returns a text that this thread keeps until its next call.
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}

/// An open file. The descriptor is closed when its owner goes out of scope.
package struct OpenFile: ~Copyable {
    package let descriptor: Int32

    /// Opens a file; nil if that fails. `O_CLOEXEC` is always set.
    package init?(_ path: String, _ flags: Int32, mode: mode_t = 0o600) {
        // Safe: as in `FileSystem`.
        let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { Glibc.close(descriptor) }

    /// The attributes of the file; nil if they cannot be read.
    package var attributes: stat? {
        var attributes = stat()
        // Safe: as in `FileSystem`.
        return unsafe fstat(descriptor, &attributes) == 0 ? attributes : nil
    }

    /// The number of bytes to write at once. Linux keeps such a chunk together in its cache: a program that maps the
    /// file and touches one byte of a chunk gets the whole chunk.
    private static let piece = 64 << 10

    /// Writes all bytes. Returns false if that fails.
    package func write(_ bytes: RawSpan) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // Safe: the system reads no more than the bytes of the span.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, min($0.count, Self.piece))
            }
            if count < 0, errno != EINTR { return false }
            rest = rest.extracting(droppingFirst: max(count, 0))
        }
        return true
    }

    /// Sets the modification time to the last second plus the given fraction. Returns false if that fails.
    package func setFraction(_ nanoseconds: Int) -> Bool {
        let second = time(nil) - 1
        let times = [timespec](repeating: timespec(tv_sec: second, tv_nsec: nanoseconds), count: 2)
        // Safe: the array has both times.
        return unsafe futimens(descriptor, times) == 0
    }

    /// Makes the contents durable, then closes the file. Returns false if either fails.
    package consuming func syncAndClose() -> Bool {
        let descriptor = descriptor
        discard self
        // A failed close still frees the descriptor.
        let isSynced = fsync(descriptor) == 0
        let code = errno
        let isClosed = Glibc.close(descriptor) == 0
        if !isSynced { errno = code }
        return isSynced && isClosed
    }
}
