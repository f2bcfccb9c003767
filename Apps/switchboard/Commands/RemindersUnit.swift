import ArgumentParser
import Foundation
import SwitchboardKit
import SwitchboardReminders

struct RemindersUnit: Command {
    static let configuration = CommandConfiguration(
        commandName: "unit",
        abstract: "Print a systemd user unit that delivers reminders while you are logged in.",
        discussion: "--install writes it to the folder of user units instead.")

    @Flag(help: "Install the unit.") var install = false
    @OptionGroup var global: GlobalOptions

    func run(_ session: Session) throws -> ExitStatus {
        let database = URL(fileURLWithPath: try session.database()).path
        let text = RunnerUnit.text(running: [
            try BackgroundProcess.program(), "--database", database, "reminders", "run",
        ])
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
            throw SwitchboardError(
                code: "inputOutput", message: "cannot create the folder \(folder): \(error.localizedDescription)",
                file: folder, status: .inputOutput)
        }
        let path = folder + "/" + RunnerUnit.name
        try FileIO.write(Array(text.utf8), to: path)
        try session.respond(["path": path], line: path)
        session.diagnostics.note("start it with: systemctl --user enable --now \(RunnerUnit.name)")
        return .done
    }
}
