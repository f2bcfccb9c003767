import SwitchboardDBus
import SwitchboardKit

/// The search of GNOME Shell's overview: `org.gnome.Shell.SearchProvider2`.
///
/// An identifier is the link to the object, so that a result can be opened even if the process that found it has ended.
struct SearchProvider: Sendable {
    private let backend: Backend

    init(_ backend: Backend) { self.backend = backend }

    var interface: Interface {
        Interface(
            name: "org.gnome.Shell.SearchProvider2", path: "/org/switchboard/SearchProvider",
            methods: [
                Method("GetInitialResultSet", .search, takes: [("terms", "as")], returns: [("results", "as")]) {
                    try search($0.texts(0), $0)
                },
                // A further letter may also correct a typing error, so the earlier results are no limit. A search costs less
                // than sending them.
                Method(
                    "GetSubsearchResultSet", .search, takes: [("previous_results", "as"), ("terms", "as")],
                    returns: [("results", "as")]
                ) { try search($0.texts(1), $0) },
                Method("GetResultMetas", .lookup, takes: [("identifiers", "as")], returns: [("metas", "aa{sv}")]) {
                    [.array(try metas(of: $0.texts(0)), of: "a{sv}")]
                },
                Method(
                    "ActivateResult", .opening,
                    takes: [("identifier", "s"), ("terms", "as"), ("timestamp", "u")]
                ) {
                    try backend.open($0.text(0), for: $0.texts(1).joined(separator: " "))
                    return []
                },
                Method("LaunchSearch", .opening, takes: [("terms", "as"), ("timestamp", "u")]) {
                    let text = $0.texts(0).joined(separator: " ")
                    try backend.open(address: backend.switchboard.desktopSearchLink(text))
                    return []
                },
            ])
    }

    private func search(_ terms: [String], _ invocation: Invocation) throws -> [DBusValue] {
        let results = try backend.search(terms.joined(separator: " "), isCancelled: invocation.isCancelled)
        return [.strings(results.map { DesktopRow($0).id })]
    }

    /// Returns the descriptions of results. One that no longer exists keeps its identifier as its name, because the shell
    /// expects as many descriptions as identifiers.
    private func metas(of ids: [String]) throws -> [DBusValue] {
        let settings = try backend.settings()
        return try ids.map { id in
            guard let result = try backend.switchboard.desktopResult(id, settings: settings) else {
                return .dictionary(["id": .string(id), "name": .string(id)])
            }
            let row = DesktopRow(result)
            var meta: [String: DBusValue] = ["id": .string(id), "name": .string(row.title)]
            if !row.description.isEmpty { meta["description"] = .string(row.description) }
            if let text = row.clipboardText { meta["clipboardText"] = .string(text) }
            // The serialised forms of GBytesIcon and GThemedIcon.
            if let picture = try backend.switchboard.desktopPicture(of: result) {
                meta["icon"] = .structure([.string("bytes"), .variant(.bytes(picture))])
            } else {
                meta["icon"] = .structure([.string("themed"), .variant(.strings([row.icon]))])
            }
            return .dictionary(meta)
        }
    }
}
