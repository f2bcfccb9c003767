import Foundation
import Subprocess
import SystemPackage

extension ReminderDelivery {
    /// Delivers by a command of the person's choice, such as one that sends mail.
    ///
    /// The shell wordSuffixes it with the reminder's text on standard input, the title as its first line, and with the parts of the
    /// reminder in its environment, among them `SWITCHBOARD_TITLE` and `SWITCHBOARD_BODY`. What it prints goes to standard error.
    /// Any status but 0 is a failure, and so is taking longer than a minute.
    public static func command(_ command: String) -> ReminderDelivery {
        ReminderDelivery("command") { reminder, _ in
            let text = [reminder.title, reminder.body].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
            let late = Date().timeIntervalSince(reminder.dueAt) > Reminder.lateness
            let environment = Environment.inherit.updating([
                "SWITCHBOARD_ID": reminder.id, "SWITCHBOARD_SUBJECT": reminder.subject,
                "SWITCHBOARD_NAME": reminder.name.withoutZeros, "SWITCHBOARD_TITLE": reminder.title.withoutZeros,
                "SWITCHBOARD_BODY": reminder.body.withoutZeros,
                "SWITCHBOARD_DUE_AT": reminder.dueAt.formatted(.iso8601), "SWITCHBOARD_LATE": late ? "1" : "0",
            ])
            let result = try await run(
                .name("sh"), arguments: ["-c", command], environment: environment,
                input: .fileDescriptor(try openText(text), closeAfterSpawningProcess: true),
                output: .currentStandardError, error: .currentStandardError)
            guard result.terminationStatus.isSuccess else {
                throw DeliveryError.failed("the command of --deliver-with ended with \(result.terminationStatus)")
            }
            return nil
        }
    }

    /// A text to be read from a descriptor, in a file without a name.
    ///
    /// Not in a pipe: a command that ends without reading it would end the writer, too.
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

extension String {
    /// Without zero bytes, which an environment and arguments cannot hold.
    var withoutZeros: String { utf8.contains(0) ? filter { $0 != "\0" } : self }
}
