import SwitchboardDBus
import SwitchboardKit

/// The D-Bus interface for searches in GNOME Shell's overview: `org.gnome.Shell.SearchProvider2`.
///
/// An identifier is the link to the object, so a result can be opened even if the process that found it has ended.
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
                // Another letter may also correct a typo, so new results are not limited to the earlier ones. Searching
                // again costs less than sending them.
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

    /// Returns the descriptions of results. The shell expects one for each identifier, so a result that no longer
    /// exists is named by its identifier.
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
            // The serialized forms of GBytesIcon and GThemedIcon.
            if let picture = try backend.switchboard.desktopPicture(of: result) {
                meta["icon"] = .structure([.string("bytes"), .variant(.bytes(picture))])
            } else {
                meta["icon"] = .structure([.string("themed"), .variant(.strings([row.icon]))])
            }
            return .dictionary(meta)
        }
    }
}
