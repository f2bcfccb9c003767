import Foundation
import SwitchboardAlgorithms
import SwitchboardDBus
import SwitchboardIncrementalIndex
import SwitchboardKit
import Synchronization

/// The D-Bus interface for searches in GNOME Shell's overview: `org.gnome.Shell.SearchProvider2`.
///
/// An identifier is the link to the object, so a result can be opened even if the process that found it has ended.
struct SearchProvider: Sendable {
    private let backend: Backend

    init(_ backend: Backend) { self.backend = backend }

    var interface: BusInterface {
        BusInterface(
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

/// The D-Bus interface for searches in KDE's KRunner and application menu: `org.kde.krunner1`.
final class Runner: Sendable {
    /// The types of matches (`Plasma::QueryMatch::Type`). KRunner sorts by type, then by relevance.
    private enum MatchType: UInt32 {
        case possible = 30
        case exact = 100
    }

    private struct Program {
        /// The last query, with which a choice is recorded.
        var query = ""
        /// The activation token that lets the next opened program come to the front.
        var activationToken: String?
    }

    private let backend: Backend
    private let pictures: PictureFiles
    /// The calling programs by their unique names.
    private let programs = Mutex<[String: Program]>([:])

    init(_ backend: Backend, _ pictures: PictureFiles) { (self.backend, self.pictures) = (backend, pictures) }

    var interface: BusInterface {
        BusInterface(
            name: "org.kde.krunner1", path: "/org/switchboard/Runner",
            methods: [
                Method("Match", .search, takes: [("query", "s")], returns: [("matches", "a(sssuda{sv})")]) {
                    let (sender, query) = ($0.sender, $0.text(0))
                    self.programs.withLock { $0[sender, default: Program()].query = query }
                    let results = try self.backend.search(query, isCancelled: $0.isCancelled)
                    return [.array(self.matches(results), of: "(sssuda{sv})")]
                },
                Method("Actions", .lookup, returns: [("actions", "a(sss)")]) { _ in
                    let actions = DesktopAction.allCases.map { action in
                        DBusValue.structure([
                            .string(action.rawValue), .string(action.label), .string(action.icon),
                        ])
                    }
                    return [.array(actions, of: "(sss)")]
                },
                Method("Run", .opening, takes: [("matchId", "s"), ("actionId", "s")]) { try self.run($0) },
                Method("SetActivationToken", .lookup, takes: [("token", "s")]) {
                    let (sender, token) = ($0.sender, $0.text(0))
                    self.programs.withLock { $0[sender, default: Program()].activationToken = token }
                    return []
                },
                // The end of a session: its query is no longer needed. As a search, it cancels the previous one.
                Method("Teardown", .search) {
                    let sender = $0.sender
                    _ = self.programs.withLock { $0.removeValue(forKey: sender) }
                    return []
                },
                Method("Config", .lookup, returns: [("config", "a{sv}")]) { _ in [.dictionary([:])] },
            ])
    }

    private func run(_ invocation: Invocation) throws -> [DBusValue] {
        let (id, name) = (invocation.text(0), invocation.text(1))
        let action = DesktopAction(rawValue: name)
        if action == nil, !name.isEmpty {
            throw DBusError.standard("InvalidArgs", "there is no action “\(name)”; use call or mail")
        }
        let program = programs.withLock { programs in
            defer { programs[invocation.sender]?.activationToken = nil }
            return programs[invocation.sender] ?? Program()
        }
        try backend.open(id, for: program.query, action, activationToken: program.activationToken)
        return []
    }

    /// Returns the results as matches, which KRunner sorts by type and relevance into the same order.
    private func matches(_ results: [SearchResult]) -> [DBusValue] {
        var type = MatchType.exact
        return results.enumerated().map { place, result in
            let row = DesktopRow(result)
            // To keep the order, a match after a possible one is only possible, even if it is exact.
            if result.match != .exact, result.match != .code { type = .possible }
            var properties: [String: DBusValue] = [
                "actions": .strings(DesktopAction.allCases.filter { row.actions[$0] != nil }.map(\.rawValue))
            ]
            if !row.description.isEmpty { properties["subtext"] = .string(row.description) }
            if let url = row.actions.isEmpty ? row.clipboardText : nil, url.contains("://") {
                properties["urls"] = .strings([url])
            }
            // Return the match even if its picture cannot be read.
            let picture = (try? backend.switchboard.desktopPicture(of: result)).flatMap(pictures.path)
            return .structure([
                .string(row.id), .string(row.title), .string(picture ?? row.icon), .uint32(type.rawValue),
                .double(1 / Double(place + 1)), .dictionary(properties),
            ])
        }
    }
}

/// Pictures in files, because KRunner loads the icon of a match from a path.
///
/// The files are in the session's runtime folder (`XDG_RUNTIME_DIR`), which is in memory, private to the user, and
/// deleted at the end of the session. They outlive the service, since KRunner may draw its matches later.
final class PictureFiles: Sendable {
    private static let maximumCount = 64

    private let folder: String?
    /// The paths of the files, least recently used first; nil before the first file.
    private let paths = Mutex<[String]?>(nil)

    /// Creates a store without files.
    ///
    /// - Parameter sessionFolder: The session's runtime folder; if nil, no files are created.
    init(sessionFolder: String?) {
        folder = sessionFolder.flatMap { $0.hasPrefix("/") ? $0 + "/switchboard-desktop" : nil }
    }

    /// Returns the path of a file with a picture; nil if it cannot be written.
    func path(of picture: [UInt8]) -> String? {
        guard let folder else { return nil }
        let path = "\(folder)/\(String(StableHash.of(picture), radix: 16))"
        return paths.withLock { known in
            // Remove the files of an earlier service.
            if known == nil { try? FileManager.default.removeItem(atPath: folder) }
            var paths = known ?? []
            defer { known = paths }
            if let used = paths.firstIndex(of: path) {
                paths.append(paths.remove(at: used))
                return path
            }
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try Data(picture).write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                return nil
            }
            paths.append(path)
            if paths.count > Self.maximumCount { try? FileManager.default.removeItem(atPath: paths.removeFirst()) }
            return path
        }
    }
}
