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
        // Each `unsafe` is safe because the attributes and the arguments, which end with nil and with NUL, are freed
        // only after the calls that read them.
        var attributes = posix_spawnattr_t()
        guard unsafe posix_spawnattr_init(&attributes) == 0 else { throw failure("cannot be started") }
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var interruptions = sigset_t()
        unsafe sigemptyset(&interruptions)
        for number in [SIGINT, SIGQUIT] { unsafe sigaddset(&interruptions, number) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &interruptions)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        // Ctrl-C in the editor must not end this process.
        let handlers = [SIGINT, SIGQUIT].map { number in (number, signal(number, SIG_IGN)) }
        defer { for (number, handler) in handlers { signal(number, handler) } }
        // Ctrl-Z stops both, and the shell gets the terminal back.
        let stopHandler = signal(SIGTSTP, SIG_DFL)
        defer { signal(SIGTSTP, stopHandler) }

        let arguments = ["sh", "-c", command + " \"$1\"", "sh", path]
        let argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, "/bin/sh", nil, &attributes, argv, environ) == 0 else {
            throw failure("cannot be started")
        }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            if errno != EINTR { throw failure("cannot be waited for") }
        }
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
