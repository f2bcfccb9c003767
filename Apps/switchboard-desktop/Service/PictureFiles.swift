import Foundation
import SwitchboardAlgorithms
import Synchronization

/// Pictures in files, because KRunner loads the icon of a match from a path.
///
/// The files are in the session's runtime folder (`XDG_RUNTIME_DIR`), which is in memory, private to the user, and
/// deleted at the end of the session. They outlive the service, since KRunner may draw its matches later.
final class PictureFiles: Sendable {
    private static let maximumCount = 64

    private let folder: String?
    /// The paths of the files, least recently used first; nil before the first file.
    private let paths = Mutex<[String]?>(nil)

    /// Creates a store without files.
    ///
    /// - Parameter sessionFolder: The session's runtime folder; if nil, no files are created.
    init(sessionFolder: String?) {
        folder = sessionFolder.flatMap { $0.hasPrefix("/") ? $0 + "/switchboard-desktop" : nil }
    }

    /// Returns the path of a file with a picture; nil if it cannot be written.
    func path(of picture: [UInt8]) -> String? {
        guard let folder else { return nil }
        let path = "\(folder)/\(String(StableHash.of(picture), radix: 16))"
        return paths.withLock { known in
            // Remove the files of an earlier service.
            if known == nil { try? FileManager.default.removeItem(atPath: folder) }
            var paths = known ?? []
            defer { known = paths }
            if let used = paths.firstIndex(of: path) {
                paths.append(paths.remove(at: used))
                return path
            }
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                try Data(picture).write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                return nil
            }
            paths.append(path)
            if paths.count > Self.maximumCount { try? FileManager.default.removeItem(atPath: paths.removeFirst()) }
            return path
        }
    }
}
