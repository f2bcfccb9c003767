import Foundation
import Subprocess

/// The notification service of the desktop (Desktop Notifications Specification 1.2), as far as a program without a connection
/// to the bus can ask it.
struct NotificationServer: Sendable {
    /// What it can do, such as "actions" and "body-markup"; nil if nobody could tell.
    let capabilities: Set<String>?

    /// Whether buttons are shown. A service that could not be asked is taken for one that shows them: notify-send finds out.
    var hasActions: Bool { capabilities?.contains("actions") ?? true }

    /// Whether the body is markup, in which `<` and `&` must be escaped. So it is with nearly all.
    var hasMarkup: Bool { capabilities?.contains("body-markup") ?? true }

    /// Whether this process can reach a session bus.
    static func isReachable(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
        return FileManager.default.fileExists(atPath: folder + "/bus")
    }

    /// Asks the service what it can do, by whichever tool is installed.
    static func asking() async -> NotificationServer {
        let (service, path, method) = (
            "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "GetCapabilities"
        )
        let tools: [(String, [String])] = [
            ("busctl", ["--user", "--timeout=3", "call", service, path, service, method]),
            ("gdbus", ["call", "--session", "--timeout=3", "-d", service, "-o", path, "-m", "\(service).\(method)"]),
            (
                "dbus-send",
                [
                    "--session", "--print-reply", "--reply-timeout=3000", "--dest=\(service)", path,
                    "\(service).\(method)",
                ]
            ),
        ]
        for (tool, arguments) in tools {
            let result = try? await run(
                .name(tool), arguments: Arguments(arguments), output: .string(limit: 1 << 16), error: .discarded)
            guard let result, result.terminationStatus.isSuccess else { continue }
            return NotificationServer(capabilities: capabilities(in: result.standardOutput))
        }
        return NotificationServer(capabilities: nil)
    }

    /// The words in quotation marks of either kind, which is how all three tools print a list of texts.
    static func capabilities(in text: String) -> Set<String> {
        Set(text.matches(of: /["']([A-Za-z0-9_.\-]+)["']/).map { String($0.1) })
    }
}
