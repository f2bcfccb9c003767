import SwitchboardContacts

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The cards of a folder as its names and times show them, none of them read.
///
/// A vdir (https://vdirsyncer.pimutils.org/en/stable/vdir.html) has one card a file. Hidden files, those that end in `.tmp`, and
/// folders are none of it.
struct FolderListing {
    /// The files that end in `.vcf`, by name; what a link leads to counts as the file.
    private(set) var files: [String: FileStamp] = [:]
    /// Names of cards that cannot be read, and why.
    private(set) var faults: [(name: String, reason: String)] = []
    /// The folders in it.
    private(set) var folders: [String] = []
    /// Temporary files of ours.
    private(set) var leftovers: [String] = []

    /// Looks through a folder. 10,000 files take some 15 ms.
    ///
    /// - Throws: ``ContactBookError/missingFolder(path:)``, ``ContactBookError/unreadable(path:reason:)``.
    init(of path: String) throws {
        guard let folder = opendir(path) else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { throw ContactBookError.missingFolder(path: path) }
            throw ContactBookError.unreadable(path: path, reason: systemMessage(code))
        }
        defer { closedir(folder) }
        let descriptor = dirfd(folder)
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                // A folder that is read in part must not look as if the rest were removed.
                guard errno == 0 else {
                    throw ContactBookError.unreadable(path: path, reason: systemMessage(errno))
                }
                break
            }
            // The name ends with the first zero byte of the entry, which is as long as the system says.
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                faults.append((name: "a file", reason: "its name is not UTF-8; give it another one"))
                continue
            }
            if name.hasPrefix(".") {
                let isOurs = name.hasPrefix(FolderFile.temporaryStart) && name.hasSuffix(FolderFile.temporaryEnd)
                if isOurs { leftovers.append(name) }
                continue
            }
            add(name, in: descriptor)
        }
    }

    private mutating func add(_ name: String, in descriptor: Int32) {
        guard FolderListing.isCard(name) else {
            var info = stat()
            if fstatat(descriptor, name, &info, 0) == 0, info.st_mode & S_IFMT == S_IFDIR { folders.append(name) }
            return
        }
        var info = stat()
        guard fstatat(descriptor, name, &info, 0) == 0 else {
            let code = errno
            var link = stat()
            // Gone since it was listed, or a link to nowhere.
            if code == ENOENT, fstatat(descriptor, name, &link, AT_SYMLINK_NOFOLLOW) != 0 { return }
            faults.append((name, code == ENOENT ? "the link leads to no file" : systemMessage(code)))
            return
        }
        switch info.st_mode & S_IFMT {
        case S_IFREG: files[name] = FileStamp(info)
        case S_IFDIR: return
        default: faults.append((name, "it is no ordinary file"))
        }
    }

    /// Whether a name is one of a card: what ends in `.vcf`, in any case, and is not hidden.
    static func isCard(_ name: String) -> Bool {
        !name.hasPrefix(".") && name.utf8.count > 4 && name.lowercased().hasSuffix(".vcf")
    }
}

/// What the system says about a number of an error.
func systemMessage(_ code: Int32) -> String {
    String(cString: strerror(code)).lowercased()
}
