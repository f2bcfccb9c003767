import Foundation
import Subprocess
import SwitchboardVCard
import SystemPackage

extension ReminderDelivery {
    /// Delivers reminders with a shell command, such as one that sends mail.
    ///
    /// The command gets the text on standard input, with the title as its first line, and the fields in environment
    /// variables such as `SWITCHBOARD_TITLE` and `SWITCHBOARD_BODY`. Its output goes to standard error. A nonzero
    /// status, or a run of more than a minute, is a failure.
    public static func command(_ command: String) -> ReminderDelivery {
        ReminderDelivery("command") { reminder, _ in
            let text = [reminder.title, reminder.body].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
            let late = Date().timeIntervalSince(reminder.dueAt) > Reminder.lateness
            // Environment variables cannot contain NUL characters.
            let environment = Environment.inherit.updating([
                "SWITCHBOARD_ID": reminder.id, "SWITCHBOARD_SUBJECT": reminder.subject,
                "SWITCHBOARD_NAME": reminder.name.removingNulls, "SWITCHBOARD_TITLE": reminder.title.removingNulls,
                "SWITCHBOARD_BODY": reminder.body.removingNulls,
                "SWITCHBOARD_DUE_AT": reminder.dueAt.formatted(.iso8601), "SWITCHBOARD_LATE": late ? "1" : "0",
            ])
            let result = try await run(
                .name("sh"), arguments: ["-c", command], environment: environment,
                input: .fileDescriptor(try openText(text), closeAfterSpawningProcess: true),
                output: .currentStandardError, error: .currentStandardError)
            guard result.terminationStatus.isSuccess else {
                throw DeliveryError.failed("the delivery command \(result.terminationStatus.ending)")
            }
            return nil
        }
    }

    /// Returns a descriptor for reading a text, backed by an unlinked file.
    ///
    /// A pipe would send SIGPIPE to the writer if the command ends without reading it.
    private static func openText(_ text: String) throws -> FileDescriptor {
        let path = FileManager.default.temporaryDirectory.appending(path: "reminder-\(UUID().uuidString)").path
        let file = try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: [.ownerRead, .ownerWrite])
        try? FileManager.default.removeItem(atPath: path)
        do {
            try file.writeAll(Array(text.utf8))
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }
}

extension TerminationStatus {
    /// A description of how a program ended: "exited with status 3".
    fileprivate var ending: String {
        switch self {
        case .exited(let code): "exited with status \(code)"
        case .signaled(let signal): "was ended by signal \(signal)"
        }
    }
}
