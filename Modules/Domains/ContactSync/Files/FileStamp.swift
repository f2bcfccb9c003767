#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What tells without reading whether a file is what it was: times, size, and which file it is.
struct FileStamp: Hashable, Sendable {
    /// When its bytes changed last, in nanoseconds since 1970.
    var modified: Int64
    /// When anything about it changed last, which no program can set back.
    var changed: Int64
    var size: Int64
    var inode: Int64

    /// The stamp that no file has.
    static let none = FileStamp(modified: 0, changed: 0, size: -1, inode: 0)

    /// After how many nanoseconds a further change of a file shows in its times on any file system (FAT counts two seconds).
    static let grain: Int64 = 2_000_000_000

    init(modified: Int64, changed: Int64, size: Int64, inode: Int64) {
        (self.modified, self.changed, self.size, self.inode) = (modified, changed, size, inode)
    }

    init(_ info: stat) {
        #if canImport(Glibc)
            let (modified, changed) = (info.st_mtim, info.st_ctim)
        #else
            let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
        #endif
        self.init(
            modified: FileStamp.nanoseconds(modified), changed: FileStamp.nanoseconds(changed),
            size: Int64(info.st_size), inode: Int64(truncatingIfNeeded: info.st_ino))
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// The stamp to remember of a file that was read now: none if the file was changed so recently that a further change might
    /// leave the same stamp. It is read once more then.
    var settled: FileStamp {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = FileStamp.nanoseconds(now) &- max(modified, changed)
        return age > FileStamp.grain ? self : .none
    }

    /// Whether both are the same bytes of the same file; renaming changes ``changed`` alone.
    func isSameContent(as other: FileStamp) -> Bool {
        modified == other.modified && size == other.size && inode == other.inode
    }
}
