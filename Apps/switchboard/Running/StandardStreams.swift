#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The three standard streams of a process.
enum StandardStreams {
    /// Opens missing standard streams and restores the default action of SIGPIPE.
    ///
    /// If a standard stream is closed (`>&-`), the next file that is opened gets its descriptor: the database would become
    /// standard output. A missing stream is therefore opened on `/dev/null` in the wrong direction, so using it fails.
    static func secure() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // The parent process may have SIGPIPE ignored; then writes to a closed pipe would report errors.
        signal(SIGPIPE, SIG_DFL)
    }

    /// Returns whether a descriptor refers to a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
