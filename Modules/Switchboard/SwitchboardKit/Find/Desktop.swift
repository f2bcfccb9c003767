import Foundation
import SwitchboardDBus
import SwitchboardSearchableIndex

/// The programs of the desktop that open objects and addresses.
public enum Desktop {
    /// The outcome of ``open(_:)``.
    public enum Outcome: Sendable {
        /// A program opened the address.
        case opened
        /// No desktop is running.
        case noDesktop
        /// No program opened the address.
        case failed
    }

    /// The name of Switchboard's search service on the session bus.
    public static let busName = "org.switchboard.Switchboard"

    /// Returns `true` if the service of the desktop's search is installed in one of the data folders.
    public static func isRegistered(in dataFolders: [String]) -> Bool {
        dataFolders.contains { FileManager.default.fileExists(atPath: "\($0)/dbus-1/services/\(busName).service") }
    }

    /// Opens an address, such as `https:`, `mailto:` or `tel:`, in the user's default program for it.
    public static func open(_ address: String) -> Outcome { open(address, activationToken: nil) }

    /// Opens an address like ``open(_:)``, and lets the program bring its window to the front.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - activationToken: The desktop's activation token (XDG Activation), if any.
    public static func open(_ address: String, activationToken: String?) -> Outcome {
        open(Opening([], else: address), activationToken: activationToken)
    }

    /// Opens an object in the first way that works: over D-Bus (Desktop Entry Specification, "D-Bus Activation"), with
    /// the desktop entry of its owner, or in the user's default program for its URL.
    ///
    /// - Parameters:
    ///   - opening: The ways to open the object.
    ///   - activationToken: The desktop's activation token (XDG Activation), if any.
    ///   - showsOwnView: `false` to fail instead of opening our own view.
    public static func open(
        _ opening: Opening, activationToken: String? = nil, showsOwnView: Bool = true
    ) -> Outcome {
        let variables = ProcessInfo.processInfo.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(variables[$0] ?? "").isEmpty }) else {
            return .noDesktop
        }
        let launcher = Launcher(variables: variables, activationToken: activationToken)
        let steps = showsOwnView ? opening.steps[...] : opening.steps.dropLast()
        return steps.contains(where: launcher.perform) ? .opened : .failed
    }
}

/// Starts programs of the desktop.
private struct Launcher {
    let variables: [String: String]
    let activationToken: String?

    /// Returns `true` if a program accepted the object.
    func perform(_ step: Opening.Step) -> Bool {
        switch step {
        case .action(let application, let name, let activity, let item):
            var parameter: [String: DBusValue] = [
                "activityType": .string(activity.activityType), "userInfo": .userInfo(activity.userInfo),
            ]
            if let item { parameter["identifier"] = .string(item) }
            if let page = activity.webpageURL { parameter["webpageURL"] = .string(page) }
            return activate(
                application, "ActivateAction", .string(name), .array([.variant(.dictionary(parameter))], of: "v"))
        case .application(let application, let url):
            return activate(application, "Open", .strings([url])) || launch(application, url) || run("xdg-open", url)
        case .url(let url): return run("xdg-open", url)
        }
    }

    /// Calls a method of `org.freedesktop.Application`, which starts an installed program if it is not running.
    private func activate(_ application: String, _ member: String, _ arguments: DBusValue...) -> Bool {
        // A valid bus name contains a dot.
        guard application.contains("."), let bus = try? DBusConnection() else { return false }
        let path = "/" + application.replacing(".", with: "/").replacing("-", with: "_")
        var platform: [String: DBusValue] = [:]
        if let activationToken {
            platform["activation-token"] = .string(activationToken)
            platform["desktop-startup-id"] = .string(activationToken)
        }
        do {
            try bus.call(
                application, path: path, interface: "org.freedesktop.Application", member,
                arguments + [.dictionary(platform)], timeout: .seconds(25))
            return true
        } catch {
            return false
        }
    }

    /// Opens a URL with a desktop entry.
    private func launch(_ application: String, _ url: String) -> Bool {
        let files = ProcessEnvironment(variables).dataFolders.map { "\($0)/applications/\(application).desktop" }
        guard let file = files.first(where: FileManager.default.fileExists) else { return false }
        return run("gio", "launch", file, url)
    }

    private func run(_ program: String, _ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        if let activationToken {
            process.environment = variables.merging(
                ["XDG_ACTIVATION_TOKEN": activationToken, "DESKTOP_STARTUP_ID": activationToken]
            ) { $1 }
        }
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension DBusValue {
    /// Returns the `userInfo` of an activity as a dictionary. Dates become ISO 8601 texts, and data become bytes.
    fileprivate static func userInfo(_ values: [String: UserInfoValue]) -> DBusValue {
        .dictionary(values.mapValues(DBusValue.init))
    }

    private init(_ value: UserInfoValue) {
        self =
            switch value {
            case .string(let text), .url(let text): .string(text)
            case .number(let number): .double(number)
            case .bool(let flag): .bool(flag)
            case .date(let date): .string(date.formatted(.iso8601))
            case .data(let data): .bytes([UInt8](data))
            case .array(let values): .array(values.map { .variant(DBusValue($0)) }, of: "v")
            case .dictionary(let values): .userInfo(values)
            }
    }
}
