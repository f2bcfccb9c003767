#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Another run of this program, which nobody waits for: it goes on when this one has ended, and says nothing.
enum BackgroundProcess {
    /// Starts it; if that cannot be, nothing happens.
    static func start(_ arguments: [String]) {
        guard let program = path() else { return }
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return }
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Whoever reads our output would wait for its end as long as the other one holds it.
        for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
        }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return }
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own: neither Ctrl-C nor closing the terminal ends it.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

        let argv = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        posix_spawn(&process, program, &actions, &attributes, argv, environ)
    }

    /// The file of this program.
    private static func path() -> String? {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = room.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), room.count) }
                ?? -1
        }
        return count > 0 && count < room.count ? String(decoding: room.prefix(count), as: UTF8.self) : nil
    }
}
