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

    /// Opens an address, such as `https:`, `mailto:` or `tel:`, with the program that the user chose for it.
    public static func open(_ address: String) -> Outcome {
        let variables = ProcessInfo.processInfo.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(variables[$0] ?? "").isEmpty }) else {
            return .noDesktop
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdg-open", address]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return .failed }
        process.waitUntilExit()
        return process.terminationStatus == 0 ? .opened : .failed
    }
}
