import Foundation
import SwitchboardKit

enum PictureFile {
    /// The maximum size in bytes; larger pictures exceed the pixel limit anyway.
    private static let largest = 64 << 20

    static func read(_ typed: String) throws(SwitchboardError) -> [UInt8] {
        let path = PathCompletion.expanded(typed)
        var information = stat()
        // Safe: the path is a copy that ends with NUL, and the result is written to a local variable.
        guard unsafe stat(path, &information) == 0 else {
            throw SwitchboardError(
                code: "missingFile", message: "there is no file \(typed); check the name", status: .missing)
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw SwitchboardError(
                code: "malformedInput", message: "\(typed) is not a regular file", status: .malformed)
        }
        guard information.st_size <= largest else {
            throw SwitchboardError(
                code: "malformedInput", message: "\(typed) is larger than \(largest >> 20) MiB", status: .malformed)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SwitchboardError(code: "inputOutput", message: "cannot read \(typed)", status: .inputOutput)
        }
        return Array(data)
    }
}

enum PathCompletion {
    /// Returns the path with `~` replaced by the home folder.
    static func expanded(_ path: String) -> String { NSString(string: path).expandingTildeInPath }

    /// Returns the matching files and folders in order, folders with a trailing slash. Hidden ones need a typed dot.
    static func of(_ text: String) -> [String] {
        let slash = text.lastIndex(of: "/")
        let typedFolder = slash.map { String(text[...$0]) } ?? ""
        let beginning = slash.map { String(text[text.index(after: $0)...]) } ?? text
        let folder = typedFolder.isEmpty ? "." : expanded(typedFolder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(beginning) && ($0.first != "." || beginning.first == ".") }
            .sorted().prefix(200).map { name in
                var isFolder: ObjCBool = false
                // Safe: the result is written to a local variable.
                _ = unsafe FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
                return typedFolder + name + (isFolder.boolValue ? "/" : "")
            }
    }
}
