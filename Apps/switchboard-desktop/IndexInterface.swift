import SwitchboardDBus
import SwitchboardJSON
import SwitchboardKit
import SwitchboardSearchableIndex

/// The D-Bus interface that lets other programs index items: `org.switchboard.Index1`.
///
/// Each method begins with the name of the calling application, which the service has checked (``Method/isConfined``).
struct IndexInterface: Sendable {
    private let backend: Backend

    init(_ backend: Backend) { self.backend = backend }

    var interface: BusInterface {
        BusInterface(
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
                Method(
                    "BeginActivity", .lookup, isConfined: true, takes: [("application", "s"), ("activity", "s")],
                    returns: [("identifier", "s")]
                ) { [.string(try items($0).begin(activity: Array($0.text(1).utf8)))] },
                Method("EndActivity", .lookup, isConfined: true, takes: [("application", "s")]) {
                    try items($0).endActivity()
                    return []
                },
                Method(
                    "DeleteActivities", .lookup, isConfined: true,
                    takes: [("application", "s"), ("identifiers", "as")]
                ) {
                    try items($0).delete(activities: $0.texts(1))
                    return []
                },
                Method(
                    "SetOwner", .lookup, isConfined: true, takes: [("application", "s"), ("options", "a{sv}")]
                ) {
                    let options = try texts($0.arguments[1], named: ["url", "action"])
                    try items($0).setOwner(urlTemplate: options["url"], action: options["action"])
                    return []
                },
                Method("RemoveOwner", .lookup, isConfined: true, takes: [("application", "s")]) {
                    try items($0).removeOwner()
                    return []
                },
            ])
    }

    private func items(_ invocation: Invocation) throws -> ApplicationItems {
        try backend.switchboard.items(ofApplication: invocation.application)
    }

    /// Returns the options of a call.
    ///
    /// - Throws: `DBusError` for an option with another name or a value that is not a string.
    private func texts(_ options: DBusValue, named names: [String]) throws -> [String: String] {
        var texts: [String: String] = [:]
        for (name, value) in options.members ?? [:] {
            guard names.contains(name), let text = value.text else {
                throw DBusError.standard(
                    "InvalidArgs",
                    "unknown option “\(name)”; use \(names.joined(separator: " and ")), which are strings")
            }
            texts[name] = text
        }
        return texts
    }

    private func put(_ invocation: Invocation) throws -> [DBusValue] {
        let states = try texts(invocation.arguments[2], named: ["client-state", "expected-state"])
        let report = try items(invocation).put(
            json: Array(invocation.text(1).utf8), clientState: states["client-state"],
            expectedState: states["expected-state"])
        return [
            .uint32(UInt32(clamping: report.indexed)), .uint32(UInt32(clamping: report.updated)),
            .string(report.clientState ?? ""),
        ]
    }
}
