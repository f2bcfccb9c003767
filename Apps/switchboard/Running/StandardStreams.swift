import Foundation
import SwitchboardKit

/// The three standard streams of a process.
enum StandardStreams {
    /// Opens missing standard streams and restores the default action of SIGPIPE.
    ///
    /// If a standard stream is closed (`>&-`), the next file that is opened gets its descriptor: the database would become
    /// standard output. A missing stream is therefore opened on `/dev/null` in the wrong direction, so using it fails.
    static func secure() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // The parent process may have SIGPIPE ignored; then writes to a closed pipe would report errors.
        signal(SIGPIPE, SIG_DFL)
    }

    /// Returns whether a descriptor refers to a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Reads bytes as soon as there are any, or none at the end.
    ///
    /// - Throws: An error about the file.
    static func read(
        _ descriptor: Int32, upTo limit: Int, name: String, file: String
    ) throws(SwitchboardError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var result = 0
            repeat {
                result = Foundation.read(descriptor, buffer.baseAddress, limit)
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
            let written = bytes[start...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                start += written
            } else if written == 0 || errno != EINTR {
                return errno
            }
        }
        return nil
    }
}

extension SwitchboardError {
    /// Returns an error with the reason of an error code of the system.
    static func inputOutput(_ problem: String, _ code: Int32, file: String? = nil) -> SwitchboardError {
        SwitchboardError(
            code: "inputOutput", message: "\(problem): \(String(cString: strerror(code)))", file: file,
            status: .inputOutput)
    }
}
