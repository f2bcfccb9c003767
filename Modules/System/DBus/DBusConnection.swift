import CSwitchboardDBus
import Glibc

/// A connection to a message bus.
///
/// Messages are fetched with ``next(waiting:waker:)``; no function is called back. A connection is used on one thread.
///
/// For example:
///
/// ```text
/// let bus = try DBusConnection()
/// try bus.requestName("org.example.Echo")
/// while let message = try bus.next(waiting: .seconds(60)) {
///     if let call = message.call { bus.reply(to: call, message.arguments) }
/// }
/// ```
// Safe: the connection is open from the initializer to the end, and its pointer does not leave the class. The class is not
// Sendable, so the connection and its messages stay on one thread.
@safe package final class DBusConnection {
    /// The name of the error for a call whose arguments do not match the method.
    package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"

    private let bus: OpaquePointer
    /// The calls that were not replied to yet.
    private var calls: [DBusCall: Message] = [:]
    private var lastCall: UInt64 = 0

    /// Connects to a bus.
    ///
    /// - Parameters:
    ///   - address: The address of the bus; nil for the session bus.
    ///   - timeout: The time limit for connecting.
    package init(address: String? = nil, timeout: Duration = .seconds(10)) throws(DBusError) {
        guard sb_bus_is_available() else { throw .noLibrary }
        var bus: OpaquePointer?
        // Safe: the result is written to a local variable, and the address is copied for the call.
        try check(unsafe sb_bus_open(address, timeout.microseconds, &bus))
        guard let bus = unsafe bus else { throw DBusError(code: -ENOMEM) }
        unsafe self.bus = bus
    }

    deinit {
        calls = [:]
        // Safe: the messages are released, and nothing uses the connection any more.
        unsafe sb_bus_close(bus)
    }

    /// Requests a name on the bus.
    ///
    /// - Returns: `false` if another program owns it.
    package func requestName(_ name: String) throws(DBusError) -> Bool {
        // Safe: the connection is open, and the name is copied for the call.
        let code = unsafe sb_bus_request_name(bus, name)
        if code == -EEXIST { return false }
        try check(code)
        return true
    }

    /// Releases a name. Calls that the bus has already delivered can still be fetched.
    package func releaseName(_ name: String) throws(DBusError) {
        // Safe: the connection is open, and the name is copied for the call.
        try check(unsafe sb_bus_release_name(bus, name))
    }

    /// Waits for the next message.
    ///
    /// - Parameters:
    ///   - timeout: The time to wait; zero to fetch what has already arrived.
    ///   - waker: A signal that ends the wait.
    /// - Returns: The message; nil after the timeout or the signal, and for a message that cannot be read.
    /// - Throws: `DBusError` if the connection is lost.
    package func next(waiting timeout: Duration, waker: DBusWaker? = nil) throws(DBusError) -> DBusMessage? {
        var received: OpaquePointer?
        // Safe: the result is written to a local variable, and its reference goes to the object.
        guard try check(unsafe sb_bus_next(bus, waker?.descriptor ?? -1, timeout.microseconds, &received)),
            let message = unsafe Message(owning: received)
        else { return nil }
        var call: DBusCall?
        if message.kind == .call {
            lastCall += 1
            let next = DBusCall(number: lastCall)
            calls[next] = message
            call = next
        }
        do throws(DBusError) {
            return try message.received(as: call)
        } catch {
            // A message that cannot be read is refused and otherwise ignored.
            if let call { reply(to: call, failing: error) }
            return nil
        }
    }

    /// Replies to a call, which is then no longer valid. A reply that cannot be sent is dropped.
    package func reply(to call: DBusCall, _ values: [DBusValue]) {
        guard let received = calls.removeValue(forKey: call) else { return }
        var reply: OpaquePointer?
        // Safe: the call is alive, and the result is written to a local variable.
        guard unsafe sb_message_new_return(received.message, &reply) >= 0 else { return }
        guard let reply = unsafe Message(owning: reply), (try? reply.append(values)) != nil else { return }
        send(reply)
    }

    /// Replies to a call with an error. An error without a name is an internal failure.
    package func reply(to call: DBusCall, failing error: DBusError) {
        guard let received = calls.removeValue(forKey: call) else { return }
        let name = error.name.isEmpty ? "org.freedesktop.DBus.Error.Failed" : error.name
        var reply: OpaquePointer?
        // Safe: the call is alive, the texts are copied, and the result is written to a local variable.
        guard unsafe sb_message_new_error(received.message, name, error.text, &reply) >= 0 else { return }
        if let reply = unsafe Message(owning: reply) { send(reply) }
    }

    private func send(_ message: Message) {
        // Safe: the connection and the message are alive; sd-bus keeps a reference while the message is queued.
        _ = unsafe sb_message_send(bus, message.message)
    }

    /// Calls a method of another program without waiting for its reply, which ``next(waiting:waker:)`` returns.
    package func post(
        _ destination: String, path: String, interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) throws(DBusError) {
        send(try newCall(destination, path, interface, member, arguments))
    }

    private func newCall(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]
    ) throws(DBusError) -> Message {
        var created: OpaquePointer?
        // Safe: the names are copied, and the result is written to a local variable.
        try check(unsafe sb_message_new_call(bus, destination, path, interface, member, &created))
        guard let call = unsafe Message(owning: created) else { throw DBusError(code: -ENOMEM) }
        try call.append(arguments)
        return call
    }

    /// Calls a method of another program and waits for its reply.
    ///
    /// - Returns: The values of the reply.
    /// - Throws: `DBusError` with the name and text of the other program's error.
    @discardableResult
    package func call(
        _ destination: String, path: String, interface: String, _ member: String, _ arguments: [DBusValue] = [],
        timeout: Duration = .seconds(5)
    ) throws(DBusError) -> [DBusValue] {
        let call = try newCall(destination, path, interface, member, arguments)
        var reply: OpaquePointer?
        var failure = sb_bus_error()
        // Safe: the call is alive, and the results are written to local variables.
        let code = unsafe sb_message_call(bus, call.message, timeout.microseconds, &reply, &failure)
        guard code >= 0, let reply = unsafe Message(owning: reply) else {
            let (name, text) = (Self.text(of: failure.name), Self.text(of: failure.text))
            throw name.isEmpty ? DBusError(code: code) : DBusError(name: name, text: text)
        }
        return try reply.values()
    }

    /// Returns the process of the caller; nil if it is unknown.
    package func process(of call: DBusCall) -> Int32? {
        var process: Int32 = 0
        // Safe: the message is alive, and the result is written to a local variable.
        guard let call = calls[call], unsafe sb_message_process(call.message, &process) >= 0 else { return nil }
        return process
    }

    /// Returns the text of a C array up to its zero byte.
    private static func text<Characters>(of characters: Characters) -> String {
        // Safe: reads no further than the array.
        unsafe withUnsafeBytes(of: characters) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// A signal that ends the wait of a connection from another thread.
package final class DBusWaker: Sendable {
    fileprivate let descriptor: Int32

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

/// Throws for a negative code; returns `true` for a positive one.
@discardableResult
func check(_ code: Int32) throws(DBusError) -> Bool {
    if code < 0 { throw DBusError(code: code) }
    return code > 0
}

extension Duration {
    /// The number of microseconds, at least 0.
    fileprivate var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
    }
}
