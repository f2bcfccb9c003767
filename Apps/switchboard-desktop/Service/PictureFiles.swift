import Foundation
import SwitchboardAlgorithms
import Synchronization

/// Pictures as files, because KRunner loads the icon of a match from a path.
///
/// They are in the folder of the session (`XDG_RUNTIME_DIR`), which is in memory, ends with the session, and belongs to the
/// user alone. They outlive the service, since KRunner may draw its matches later.
final class PictureFiles: Sendable {
    private static let maximumCount = 64

    private let folder: String?
    /// The paths of the files, the one used last at the end; nil before the first one.
    private let paths = Mutex<[String]?>(nil)

    /// Creates no file yet.
    ///
    /// - Parameter sessionFolder: The folder of the session; without one, there are no files.
    init(sessionFolder: String?) {
        folder = sessionFolder.flatMap { $0.hasPrefix("/") ? $0 + "/switchboard-desktop" : nil }
    }

    /// Returns the path of a file with a picture; nil if it cannot be written.
    func path(of picture: [UInt8]) -> String? {
        guard let folder else { return nil }
        let path = "\(folder)/\(String(StableHash.of(picture), radix: 16))"
        return paths.withLock { known in
            // Those of an earlier service.
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
