import Dispatch
import SwitchboardDBus
import SwitchboardKit
import Synchronization

/// The event loop of the service: receives calls from the bus, runs their methods on queues, and sends the replies.
///
/// The loop waits only for calls and replies. It rejects calls with wrong arguments, so methods can rely on the
/// declared types.
final class DesktopService {
    private let bus: DBusConnection
    private let interfaces: [BusInterface]
    private let idle: Duration
    private let outbox: Outbox
    private let searches = DispatchQueue(label: "Searches", qos: .userInteractive)
    /// The latest search of each program, which its next search cancels.
    private var latest: [String: Cancellation] = [:]
    private var pendingCalls = 0
    /// The Flatpaks of known callers; nil for a caller outside of Flatpak.
    private var flatpaks: [String: String?] = [:]

    /// Connects to the session bus.
    ///
    /// - Parameters:
    ///   - pictures: The files of pictures for KRunner.
    ///   - idle: The time without calls after which ``run()`` returns.
    /// - Throws: `DBusError`.
    init(_ backend: Backend, _ pictures: PictureFiles, idle: Duration) throws {
        bus = try DBusConnection()
        outbox = try Outbox()
        interfaces = [
            SearchProvider(backend).interface, Runner(backend, pictures).interface,
            IndexInterface(backend).interface,
        ]
        self.idle = idle
    }

    /// Serves calls until none has arrived for the idle time, or the session ends.
    ///
    /// - Throws: `SwitchboardError` if another process owns the bus name, `DBusError`.
    func run() throws {
        guard try bus.requestName(Desktop.busName) else {
            throw SwitchboardError(
                code: "running", message: "another process already serves \(Desktop.busName); end it first",
                status: .tryAgain)
        }
        do {
            try serve()
            try bus.releaseName(Desktop.busName)
            // The bus starts a new process for later calls, but these have already arrived.
            while let message = try bus.next(waiting: .zero) { handle(message) }
            while pendingCalls > 0 {
                if let message = try bus.next(waiting: .seconds(1), waker: outbox.waker) { handle(message) }
                sendReplies()
            }
        } catch is DBusError {
            // The session ended.
        }
    }

    private func serve() throws {
        var lastUse = ContinuousClock.now
        while true {
            if sendReplies() { lastUse = .now }
            let left = idle - (.now - lastUse)
            if pendingCalls == 0, left <= .zero { return }
            if let message = try bus.next(waiting: pendingCalls == 0 ? left : idle, waker: outbox.waker) {
                handle(message)
                lastUse = .now
            }
        }
    }

    @discardableResult
    private func sendReplies() -> Bool {
        let replies = outbox.drain()
        for reply in replies {
            pendingCalls -= 1
            switch reply.result {
            case .success(let values): bus.reply(to: reply.call, values)
            case .failure(let error): bus.reply(to: reply.call, failing: error)
            }
        }
        return !replies.isEmpty
    }

    private func handle(_ message: DBusMessage) {
        guard let call = message.call else { return }
        do throws(DBusError) {
            if let values = try standardReply(to: message) { return bus.reply(to: call, values) }
            let method = try method(of: message)
            start(method, for: message, call, application: try application(of: message, call, for: method))
        } catch {
            bus.reply(to: call, failing: error)
        }
    }

    /// Returns the reply to a call of a standard interface; nil for other calls.
    private func standardReply(to message: DBusMessage) throws(DBusError) -> [DBusValue]? {
        switch (message.interface, message.member, message.signature) {
        case ("org.freedesktop.DBus.Introspectable", "Introspect", ""):
            guard let xml = interfaces.introspection(of: message.path) else { return nil }
            return [.string(xml)]
        case ("org.freedesktop.DBus.Properties", "GetAll", "s"): return [.dictionary([:])]
        case ("org.freedesktop.DBus.Properties", "Get", "ss"), ("org.freedesktop.DBus.Properties", "Set", "ssv"):
            throw .standard("UnknownProperty", "the interfaces of this object have no properties")
        default: return nil
        }
    }

    private func method(of message: DBusMessage) throws(DBusError) -> Method {
        let here = interfaces.filter { $0.path == message.path }
        if here.isEmpty { throw .standard("UnknownObject", "there is no object \(message.path)") }
        let named = here.filter { message.interface.isEmpty || $0.name == message.interface }
        if named.isEmpty { throw .standard("UnknownInterface", "\(message.path) has no \(message.interface)") }
        guard let method = named.lazy.flatMap(\.methods).first(where: { $0.name == message.member }) else {
            throw .standard("UnknownMethod", "\(named[0].name) has no method \(message.member)")
        }
        guard method.signature == message.signature else {
            throw .standard(
                "InvalidArgs", "\(method.name) takes “\(method.signature)”, not “\(message.signature)”")
        }
        return method
    }

    /// Returns the application whose items a confined method may access; empty for other methods.
    ///
    /// - Throws: `DBusError` if the caller may not call the method, or is not the application that it claims to be.
    private func application(
        of message: DBusMessage, _ call: DBusCall, for method: Method
    ) throws(DBusError) -> String {
        let flatpak: String?
        if let known = flatpaks[message.sender] {
            flatpak = known
        } else {
            guard let process = bus.process(of: call) else {
                throw .standard("AccessDenied", "the calling process is unknown")
            }
            flatpak = Flatpak.application(ofProcess: process)
            if flatpaks.count >= 1_000 { flatpaks = [:] }
            flatpaks[message.sender] = .some(flatpak)
        }
        guard method.isConfined else {
            if flatpak == nil { return "" }
            throw .standard("AccessDenied", "a program in a sandbox may only use org.switchboard.Index1")
        }
        let name = message.arguments.first?.text ?? ""
        if name.isEmpty { return flatpak ?? "scripts" }
        if name == flatpak || owner(of: name) == message.sender { return name }
        throw .standard("AccessDenied", "the caller does not own the name “\(name)”; request it on the bus first")
    }

    private func owner(of name: String) -> String? {
        try? bus.call(
            "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "GetNameOwner",
            [.string(name)]
        ).first?.text
    }

    private func start(_ method: Method, for message: DBusMessage, _ call: DBusCall, application: String) {
        let cancellation = Cancellation()
        if method.kind == .search { latest.updateValue(cancellation, forKey: message.sender)?.cancel() }
        let invocation = Invocation(
            sender: message.sender, application: application, arguments: message.arguments,
            isCancelled: { cancellation.isCancelled })
        let (outbox, isCancellable) = (outbox, method.kind == .search)
        pendingCalls += 1
        let work: @Sendable () -> Void = {
            let result = Result<[DBusValue], any Error> {
                if isCancellable, cancellation.isCancelled { throw CancellationError() }
                return try method.run(invocation)
            }
            outbox.post(Outbox.Reply(call: call, result: result.mapError { DBusError($0) }))
        }
        switch method.kind {
        case .search, .lookup: searches.async(execute: work)
        case .opening: DispatchQueue.global(qos: .userInitiated).async(execute: work)
        }
    }
}

/// A flag that cancels a search.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}

/// A queue of replies from other threads, which wake the bus thread.
private final class Outbox: Sendable {
    struct Reply: Sendable {
        let call: DBusCall
        let result: Result<[DBusValue], DBusError>
    }

    let waker: DBusWaker
    private let replies = Mutex<[Reply]>([])

    init() throws(DBusError) { waker = try DBusWaker() }

    func post(_ reply: Reply) {
        replies.withLock { $0.append(reply) }
        waker.wake()
    }

    func drain() -> [Reply] {
        waker.clear()
        return replies.withLock { replies in
            defer { replies = [] }
            return replies
        }
    }
}

/// An interface at an object path.
struct BusInterface: Sendable {
    let name: String
    let path: String
    let methods: [Method]
}

struct Method: Sendable {
    /// An argument or result: its name and signature.
    typealias Parameter = (name: String, signature: String)

    /// The queue on which a method runs.
    enum Kind: Sendable {
        /// A search, which a newer search from the same program cancels.
        case search
        /// A short call that uses the database, in the order of arrival.
        case lookup
        /// A call that starts a program and may take seconds.
        case opening
    }

    let name: String
    let kind: Kind
    /// `true` if the first argument is the caller's application and the method can only access its items.
    let isConfined: Bool
    let takes: [Parameter]
    let returns: [Parameter]
    /// The implementation, called with arguments of the declared types.
    let run: @Sendable (Invocation) throws -> [DBusValue]

    init(
        _ name: String, _ kind: Kind, isConfined: Bool = false, takes: [Parameter] = [], returns: [Parameter] = [],
        run: @escaping @Sendable (Invocation) throws -> [DBusValue]
    ) {
        (self.name, self.kind, self.isConfined) = (name, kind, isConfined)
        (self.takes, self.returns, self.run) = (takes, returns, run)
    }

    var signature: String { takes.map(\.signature).joined() }
}

/// A call to a method.
struct Invocation: Sendable {
    /// The unique name of the calling program.
    let sender: String
    /// The caller's application, verified by the service; empty for a method that is not confined.
    let application: String
    let arguments: [DBusValue]
    /// Returns `true` once the result is no longer needed.
    let isCancelled: Switchboard.CancellationCheck

    /// Returns the strings of an array argument; empty for another type.
    func texts(_ index: Int) -> [String] { arguments[index].texts ?? [] }

    /// Returns a string argument; empty for another type.
    func text(_ index: Int) -> String { arguments[index].text ?? "" }
}

extension DBusError {
    /// Creates the error with which a method reports an error of a module.
    init(_ error: any Error) {
        if let error = error as? DBusError {
            self = error
        } else {
            let error = SwitchboardError(error)
            self.init(name: "org.switchboard.Error.\(error.code)", text: error.description)
        }
    }

    static func standard(_ name: String, _ text: String) -> DBusError {
        DBusError(name: "org.freedesktop.DBus.Error.\(name)", text: text)
    }
}

// MARK: - Introspection

extension BusInterface {
    /// The description for tools (D-Bus Specification, "Introspection Data Format").
    fileprivate var xml: String {
        func arguments(_ parameters: [Method.Parameter], _ direction: String) -> String {
            parameters.map { "<arg name=\"\($0.name)\" type=\"\($0.signature)\" direction=\"\(direction)\"/>" }.joined()
        }
        let methods = methods.map { method in
            "<method name=\"\(method.name)\">\(arguments(method.takes, "in"))\(arguments(method.returns, "out"))</method>"
        }
        return "<interface name=\"\(name)\">\(methods.joined())</interface>"
    }
}

extension [BusInterface] {
    /// Returns the description of an object or of one of its ancestor nodes; nil for other paths.
    func introspection(of path: String) -> String? {
        let prefix = path == "/" ? "/" : path + "/"
        let children = Set(
            compactMap { $0.path.hasPrefix(prefix) ? $0.path.dropFirst(prefix.count).prefix { $0 != "/" } : nil })
        let here = filter { $0.path == path }
        if children.isEmpty, here.isEmpty { return nil }
        let nodes = children.sorted().map { "<node name=\"\($0)\"/>" }
        return """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>\(here.map(\.xml).joined())\(nodes.joined())</node>
            """
    }
}
