import Foundation
import Subprocess

/// The desktop's notification service (Desktop Notifications Specification 1.2), queried with command-line tools.
struct NotificationServer: Sendable {
    /// The capabilities, such as "actions" and "body-markup"; nil if unknown.
    let capabilities: Set<String>?

    /// `true` if the service shows buttons. If unknown, notify-send finds out.
    var hasActions: Bool { capabilities?.contains("actions") ?? true }

    /// `true` if the body is markup, in which `<` and `&` must be escaped, as with nearly all services.
    var hasMarkup: Bool { capabilities?.contains("body-markup") ?? true }

    static func isReachable(environment: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
        return FileManager.default.fileExists(atPath: folder + "/bus")
    }

    /// Queries the capabilities of the service with whichever tool is installed.
    static func query() async -> NotificationServer {
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
            // All three tools print the list with quotes.
            let words = result.standardOutput.matches(of: /["']([A-Za-z0-9_.\-]+)["']/)
            return NotificationServer(capabilities: Set(words.map { String($0.1) }))
        }
        return NotificationServer(capabilities: nil)
    }
}
