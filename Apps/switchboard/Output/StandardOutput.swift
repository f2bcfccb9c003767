import Foundation
import SwitchboardKit

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

    func write(_ text: String) { write(text.utf8) }

    func write(_ bytes: some Sequence<UInt8>) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { empty() }
    }

    /// Writes the buffer.
    ///
    /// - Throws: An error if this or an earlier write failed.
    func flush() throws {
        empty()
        if let failure { throw SwitchboardError.inputOutput("cannot write standard output", failure) }
    }

    private func empty() {
        if failure == nil { failure = StandardStreams.write(buffer, to: descriptor) }
        buffer.removeAll(keepingCapacity: true)
    }
}
