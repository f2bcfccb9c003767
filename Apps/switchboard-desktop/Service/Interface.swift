import SwitchboardDBus
import SwitchboardKit

/// An interface at an object path.
struct Interface: Sendable {
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

extension Interface {
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

extension [Interface] {
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
