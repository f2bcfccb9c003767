import Foundation
public import SwitchboardContactSync

/// The row of a linked folder: `{"id", "path", "contacts", "linkedAt", "takesNew"}`.
public struct FolderRow: Encodable, Sendable {
    /// The path, which identifies the folder.
    public let id: String
    /// The path.
    public let path: String
    /// The number of contacts with a file in the folder.
    public let contacts: Int
    /// The time of linking, in UTC.
    public let linkedAt: String
    /// `true` if new contacts are written to the folder.
    public let takesNew: Bool

    /// Creates the row of a folder.
    public init(_ folder: LinkedFolder) {
        id = folder.path
        path = folder.path
        contacts = folder.contacts
        linkedAt = folder.linkedAt.formatted(.iso8601)
        takesNew = folder.takesNew
    }
}
