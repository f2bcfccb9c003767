import SwitchboardDBus
import SwitchboardJSON
import SwitchboardKit
import SwitchboardSearchableIndex

/// The index for other programs: `org.switchboard.Index1`.
///
/// Each method begins with the name of the calling application, which the service has checked (``Method/isConfined``).
struct IndexInterface: Sendable {
    private let backend: Backend

    init(_ backend: Backend) { self.backend = backend }

    var interface: Interface {
        Interface(
            name: "org.switchboard.Index1", path: "/org/switchboard/Index",
            methods: [
                Method(
                    "Put", .lookup, isConfined: true,
                    takes: [("application", "s"), ("items", "s"), ("options", "a{sv}")],
                    returns: [("indexed", "u"), ("updated", "u"), ("client_state", "s")]
                ) { try put($0) },
                Method(
                    "Delete", .lookup, isConfined: true, takes: [("application", "s"), ("identifiers", "as")]
                ) {
                    try items($0).delete($0.texts(1))
                    return []
                },
                Method(
                    "DeleteDomain", .lookup, isConfined: true, takes: [("application", "s"), ("domain", "s")],
                    returns: [("deleted", "u")]
                ) { [.uint32(UInt32(clamping: try items($0).delete(inDomain: $0.text(1))))] },
                Method(
                    "GetClientState", .lookup, isConfined: true, takes: [("application", "s")],
                    returns: [("client_state", "s")]
                ) { [.string(try items($0).clientState ?? "")] },
                Method(
                    "Search", .search, isConfined: true,
                    takes: [("application", "s"), ("text", "s"), ("limit", "u")], returns: [("results", "s")]
                ) { invocation in
                    let found = try items(invocation).search(
                        invocation.text(1), limit: Int(invocation.arguments[2].number ?? 0),
                        isCancelled: invocation.isCancelled)
                    return [.string(try OrderedJSON.text(found))]
                },
            ])
    }

    private func items(_ invocation: Invocation) throws -> ApplicationItems {
        try backend.switchboard.items(ofApplication: invocation.application)
    }

    private func put(_ invocation: Invocation) throws -> [DBusValue] {
        var states: [String: String] = [:]
        for (name, value) in invocation.arguments[2].members ?? [:] {
            guard ["client-state", "expected-state"].contains(name), let text = value.text else {
                throw DBusError.standard(
                    "InvalidArgs", "unknown option “\(name)”; use client-state and expected-state, which are strings")
            }
            states[name] = text
        }
        let report = try items(invocation).put(
            json: Array(invocation.text(1).utf8), clientState: states["client-state"],
            expectedState: states["expected-state"])
        return [
            .uint32(UInt32(clamping: report.indexed)), .uint32(UInt32(clamping: report.updated)),
            .string(report.clientState ?? ""),
        ]
    }
}
