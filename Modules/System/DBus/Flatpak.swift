import Foundation

/// The sandboxes of Flatpak.
package enum Flatpak {
    /// Returns the identifier of the Flatpak in which a process runs; nil if it runs outside of Flatpak.
    ///
    /// The file is placed in the sandbox by Flatpak, and the sandbox cannot change it. A process that may not be inspected
    /// is a privileged one outside of any sandbox.
    package static func application(ofProcess process: Int32) -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/root/.flatpak-info") else { return nil }
        return application(info: String(decoding: data, as: UTF8.self))
    }

    /// Returns the identifier in the text of `/.flatpak-info`; empty if it has none.
    package static func application(info: String) -> String {
        var group = ""
        for line in info.split(separator: "\n") {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("[") { group = line }
            let parts = line.split(separator: "=", maxSplits: 1)
            guard group == "[Application]" || group == "[Runtime]", parts.count == 2, parts[0] == "name" else {
                continue
            }
            return String(parts[1])
        }
        return ""
    }
}
