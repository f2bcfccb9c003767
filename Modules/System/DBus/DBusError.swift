import Glibc

/// A failure of a bus connection, or the error with which another program replied.
package struct DBusError: Error, Sendable, Hashable {
    /// The name of the error, such as `org.freedesktop.DBus.Error.ServiceUnknown`; empty for a failure of the system.
    package let name: String
    /// The reason in one line.
    package let text: String

    /// Creates an error.
    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Creates the error of a negative errno.
    init(code: Int32) {
        name = ""
        // Safe: the result ends with NUL and is copied at once.
        text = unsafe strerror(-code).map { unsafe String(cString: $0) } ?? "error \(-code)"
    }

    /// The error of a system without libsystemd.
    package static let noLibrary = DBusError(
        name: "", text: "libsystemd is missing; install the Debian package libsystemd0")
}
