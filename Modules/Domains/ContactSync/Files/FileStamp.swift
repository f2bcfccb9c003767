import Glibc

/// The metadata by which a changed file is detected without reading it: times, size and inode.
struct FileStamp: Hashable, Sendable {
    /// The modification time (mtime) in nanoseconds since 1970.
    var modified: Int64
    /// The status change time (ctime), which programs cannot set.
    var changed: Int64
    var size: Int64
    var inode: Int64

    /// A stamp that matches no file: the file must be read again.
    static let none = FileStamp(modified: 0, changed: 0, size: -1, inode: 0)

    /// The coarsest resolution of file times in nanoseconds (two seconds on FAT).
    static let resolution: Int64 = 2_000_000_000
}

extension FileStamp {
    init(_ info: stat) {
        self.init(
            modified: FileStamp.nanoseconds(info.st_mtim), changed: FileStamp.nanoseconds(info.st_ctim),
            size: Int64(info.st_size), inode: Int64(truncatingIfNeeded: info.st_ino))
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The stamp to store for a file that was just read, or ``none`` if the file is so new that another change could
    /// leave the same stamp.
    var reliable: FileStamp {
        var now = timespec()
        // Safe: the result is written to a local variable.
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let age = FileStamp.nanoseconds(now) &- max(modified, changed)
        return age > FileStamp.resolution ? self : .none
    }

    /// Returns `true` for the same bytes of the same file. Renaming a file changes only ``changed``.
    func isSameContent(as other: FileStamp) -> Bool {
        modified == other.modified && size == other.size && inode == other.inode
    }
}
