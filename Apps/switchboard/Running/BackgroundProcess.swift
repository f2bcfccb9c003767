import Foundation
import SwitchboardKit

/// A detached run of this program without input or output, which outlives the current process.
enum BackgroundProcess {
    /// Starts this program with arguments, ignoring failures.
    static func start(_ arguments: [String]) {
        guard let program = try? program() else { return }
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return }
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A reader of our output would not see its end while the child holds the descriptor.
        for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
        }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return }
        defer { posix_spawnattr_destroy(&attributes) }
        // In its own process group, the child survives Ctrl-C and closing the terminal.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        posix_spawn(&process, program, &actions, &attributes, argv, environ)
    }

    /// Returns the path of the executable.
    static func program() throws -> String {
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
        guard let path = Bundle.main.executablePath else {
            throw SwitchboardError(
                code: "internal", message: "cannot find the path of this program", status: .internalError)
        }
        return path
    }
}
