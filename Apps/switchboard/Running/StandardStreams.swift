#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The three streams a process begins with.
enum StandardStreams {
    /// Makes sure that all three are there and that a closed pipe ends the program quietly.
    ///
    /// A program started with one of them closed (`>&-`) would get its number for the next file it opens: the database would
    /// become standard output. What is missing is opened so that using it fails.
    static func secure() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // Whoever started this may have it ignored, and then every write would fail instead.
        signal(SIGPIPE, SIG_DFL)
    }

    /// Whether a stream is a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
