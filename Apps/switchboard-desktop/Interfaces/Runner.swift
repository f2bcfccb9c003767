import SwitchboardDBus
import SwitchboardKit
import SwitchboardSearchEngine
import Synchronization

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

    var interface: Interface {
        Interface(
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
