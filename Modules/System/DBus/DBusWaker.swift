import CSwitchboardDBus
import Glibc

/// A signal that ends the wait of a connection from another thread.
package final class DBusWaker: Sendable {
    let descriptor: Int32

    /// Creates a signal.
    ///
    /// - Throws: `DBusError` if the system has no more file descriptors.
    package init() throws(DBusError) {
        descriptor = sb_wake_open()
        try check(descriptor)
    }

    deinit { close(descriptor) }

    /// Ends the current wait, or else the next one.
    package func wake() { sb_wake(descriptor) }

    /// Resets the signal.
    package func clear() { sb_wake_clear(descriptor) }
}
