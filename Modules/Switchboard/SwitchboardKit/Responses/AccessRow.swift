public import SwitchboardStorage

/// What a person has said about access to something: `{"what", "status", "purpose"}`.
public struct AccessRow: Encodable, Sendable {
    /// What it is about.
    public let what: String
    /// notDetermined, denied or authorized.
    public let status: String
    /// What it is needed for.
    public let purpose: String

    /// What a storage knows of a subject.
    ///
    /// - Throws: `StorageError`.
    public init(of subject: AccessSubject, in storage: Storage) throws {
        what = subject.rawValue
        status = try storage.status(of: subject).rawValue
        purpose = subject.defaultPurpose
    }
}
