import Foundation
import SwitchboardKit

/// A file whose badges are to be read.
enum PictureFile {
    /// As large as the pictures of any camera that are not refused for their pixels.
    private static let largest = 64 << 20

    /// The bytes of a file.
    ///
    /// - Throws: a fault if it is missing, no plain file, cannot be read, or is too large.
    static func read(_ typed: String) throws(Fault) -> [UInt8] {
        let path = PathCompletion.expanded(typed)
        var information = stat()
        guard stat(path, &information) == 0 else {
            throw Fault(code: "missingFile", message: "there is no file \(typed); check the name", status: .missing)
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw Fault(code: "malformedInput", message: "\(typed) is no file", status: .malformed)
        }
        guard information.st_size <= largest else {
            throw Fault(
                code: "malformedInput", message: "\(typed) is larger than \(largest >> 20) MiB", status: .malformed)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Fault(code: "inputOutput", message: "cannot read \(typed)", status: .inputOutput)
        }
        return Array(data)
    }
}

/// What a path that is typed may go on with.
enum PathCompletion {
    /// The path with the home folder in the place of `~`.
    static func expanded(_ path: String) -> String { NSString(string: path).expandingTildeInPath }

    /// The files and folders that begin as the text does, folders with a slash, in order; hidden ones only if the dot was typed.
    static func of(_ text: String) -> [String] {
        let slash = text.lastIndex(of: "/")
        let typedFolder = slash.map { String(text[...$0]) } ?? ""
        let beginning = slash.map { String(text[text.index(after: $0)...]) } ?? text
        let folder = typedFolder.isEmpty ? "." : expanded(typedFolder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(beginning) && ($0.first != "." || beginning.first == ".") }
            .sorted().prefix(200).map { name in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
                return typedFolder + name + (isFolder.boolValue ? "/" : "")
            }
    }
}
