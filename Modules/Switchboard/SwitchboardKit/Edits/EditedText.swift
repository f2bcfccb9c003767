import Foundation

/// A text in a private temporary file, for editing in the user's text editor.
///
/// Only ``remove()`` deletes the file, so an unusable text is not lost.
public struct EditedText {
    /// The path of the file.
    public let path: String
    private let original: String

    /// Writes a text to a new file that is readable only by the user.
    ///
    /// - Throws: ``SwitchboardError``.
    public init(_ text: String, suffix: String) throws {
        let name = "switchboard-\(UUID().uuidString.prefix(8).lowercased())\(suffix)"
        path = FileManager.default.temporaryDirectory.appending(path: name).path
        original = text
        // Safe: the path is a copy that ends with NUL and lives until the call returns.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot create \(path)", path) }
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
        } catch {
            throw Self.failure("cannot write \(path)", path)
        }
    }

    private static func failure(_ problem: String, _ path: String) -> SwitchboardError {
        SwitchboardError(
            code: "inputOutput", message: problem + "; check the space in its folder, or set TMPDIR to another one",
            file: path, status: .inputOutput)
    }

    /// Runs the editor and returns the new text; nil if it is unchanged.
    ///
    /// - Throws: ``SwitchboardError`` if the editor does not run or fails, or the text is not UTF-8.
    public func edit() throws -> String? {
        try TextEditor().edit(path)
        guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
        else {
            throw SwitchboardError(
                code: "malformedInput", message: "the text is not UTF-8; save it as UTF-8", file: path,
                status: .malformed)
        }
        return text == original ? nil : text
    }

    /// True if the file still has the original text.
    public var isUnchanged: Bool { FileManager.default.contents(atPath: path) == Data(original.utf8) }

    /// Removes the file.
    public func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// The user's text editor: `$VISUAL`, else `$EDITOR`, else vi.
private struct TextEditor {
    /// A shell command, such as `code --wait`.
    let command: String

    init() {
        let variables = ProcessInfo.processInfo.environment
        command = ["VISUAL", "EDITOR"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "vi"
    }

    /// Edits a file in the terminal of this process.
    func edit(_ path: String) throws {
        // The editor gets the keys of the terminal: `system` ignores Ctrl-C and Ctrl-\ in this process, and Ctrl-Z
        // stops both, so that the shell gets the terminal back.
        let handlers = [SIGINT, SIGQUIT, SIGTSTP].map { number in (number, signal(number, SIG_DFL)) }
        defer { for (number, handler) in handlers { signal(number, handler) } }
        // Safe: the command is a copy that ends with NUL and lives until the call returns.
        let status = unsafe system("\(command) '\(path.replacing("'", with: "'\\''"))'")
        if status < 0 { throw failure("cannot be started") }
        if status != 0 {
            let signal = status & 0x7F
            throw failure(signal == 0 ? "ended with status \((status >> 8) & 0xFF)" : "was ended by signal \(signal)")
        }
    }

    private func failure(_ reason: String) -> SwitchboardError {
        SwitchboardError(
            code: "editorFailed", message: "the editor “\(command)” \(reason); set VISUAL or EDITOR to another one",
            status: .inputOutput)
    }
}
