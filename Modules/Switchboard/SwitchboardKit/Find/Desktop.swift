import Foundation

/// The programs of the desktop that open addresses.
public enum Desktop {
    /// The outcome of ``open(_:)``.
    public enum Outcome: Sendable {
        /// A program opened the address.
        case opened
        /// No desktop is running.
        case noDesktop
        /// `xdg-open` is missing or failed.
        case failed
    }

    /// The name on the session bus under which the desktop's search finds Switchboard.
    public static let busName = "org.switchboard.Switchboard"

    /// Returns `true` if the service of the desktop's search is installed in one of some data folders.
    public static func isRegistered(in dataFolders: [String]) -> Bool {
        dataFolders.contains { FileManager.default.fileExists(atPath: "\($0)/dbus-1/services/\(busName).service") }
    }

    /// Opens an address, such as `https:`, `mailto:` or `tel:`, with the program that the user chose for it.
    public static func open(_ address: String) -> Outcome { open(address, activationToken: nil) }

    /// Opens an address as ``open(_:)`` does, and lets the window of the program come to the front.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - activationToken: The token of the desktop (XDG Activation); nil without one.
    public static func open(_ address: String, activationToken: String?) -> Outcome {
        let variables = ProcessInfo.processInfo.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(variables[$0] ?? "").isEmpty }) else {
            return .noDesktop
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        if let activationToken {
            process.environment = variables.merging(
                ["XDG_ACTIVATION_TOKEN": activationToken, "DESKTOP_STARTUP_ID": activationToken]
            ) { $1 }
        }
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return .failed }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? .opened : .failed
    }
}
