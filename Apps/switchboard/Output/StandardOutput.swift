import SwitchboardKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Buffered standard output.
///
/// The next ``flush()`` throws the error of a failed write. Output after a failed write is discarded.
final class StandardOutput {
    private var buffer: [UInt8] = []
    private var failure: Int32?
    private let descriptor: Int32
    private static let bufferSize = 1 << 16

    init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
    }

    func write(_ text: String) {
        buffer += text.utf8
        if buffer.count >= Self.bufferSize { empty() }
    }

    func write(_ bytes: [UInt8]) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { empty() }
    }

    /// Writes the buffer.
    ///
    /// - Throws: An error if this or an earlier write failed.
    func flush() throws {
        empty()
        guard let failure else { return }
        let reason = String(cString: strerror(failure))
        throw SwitchboardError(
            code: "inputOutput", message: "cannot write standard output: \(reason)", status: .inputOutput)
    }

    private func empty() {
        var start = 0
        while failure == nil, start < buffer.count {
            let written = buffer[start...].withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                start += written
            } else if written == 0 || errno != EINTR {
                failure = errno
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

// `write` of the C library, which the method of the same name hides.
private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
