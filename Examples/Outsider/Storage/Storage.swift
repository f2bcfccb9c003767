import Foundation

/// A temporary folder.
package struct Storage: ~Copyable {
    package let folder = FileManager.default.temporaryDirectory.appending(path: "outsider-\(UUID().uuidString)")

    package init() {}

    deinit { try? FileManager.default.removeItem(at: folder) }
}
