public import SwitchboardContacts
import Foundation

/// A followed folder as answers show it: `{"id", "path", "contacts", "linkedAt", "takesNew"}`.
public struct FolderRow: Encodable, Sendable {
    /// The path, by which commands name it.
    public let id: String
    /// The same.
    public let path: String
    /// How many contacts have a file in it.
    public let contacts: Int
    /// When it was linked, in UTC.
    public let linkedAt: String
    /// Whether people who are added get a file in it.
    public let takesNew: Bool

    /// The row of a folder.
    public init(_ folder: LinkedFolder) {
        id = folder.path
        path = folder.path
        contacts = folder.contacts
        linkedAt = folder.linkedAt.formatted(.iso8601)
        takesNew = folder.takesNew
    }
}
