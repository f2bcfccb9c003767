import ArgumentParser
import Foundation
import SwitchboardReminders
import SwitchboardKit

struct RemindersUnit: Command {
    static let configuration = CommandConfiguration(
        commandName: "unit",
        abstract: "The systemd user unit that runs 'reminders run' as long as you are logged in.",
        discussion: "Written to standard output, or with --install to where systemd looks for it.")

    @Flag(help: "Write it to where systemd looks for it.") var install = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let database = URL(fileURLWithPath: try session.database()).path
        let text = RunnerUnit.text(running: [try program(), "--database", database, "reminders", "run"])
        guard install else {
            session.output.write(text)
            return .done
        }
        let variables = ProcessInfo.processInfo.environment
        let home = variables["HOME"] ?? NSHomeDirectory()
        let configured = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = (configured ?? home + "/.config") + "/systemd/user"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Fault(
                code: "inputOutput", message: "cannot make the folder \(folder): \(error.localizedDescription)",
                file: folder, status: .inputOutput)
        }
        let path = folder + "/" + RunnerUnit.name
        try WholeFile.write(Array(text.utf8), to: path)
        try session.answer(["path": path]) { session.output.write(path + "\n") }
        session.diagnostics.note("start it with: systemctl --user enable --now \(RunnerUnit.name)")
        return .done
    }

    /// The file of this program.
    private func program() throws -> String {
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
        guard let path = Bundle.main.executablePath else {
            throw Fault(code: "internal", message: "this program does not know its own place", status: .internalError)
        }
        return path
    }
}
