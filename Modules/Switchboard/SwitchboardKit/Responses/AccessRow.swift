public import SwitchboardStorage

/// The access status of a subject: `{"what", "status", "purpose"}`.
public struct AccessRow: Encodable, Sendable {
    /// The subject.
    public let what: String
    /// The status: notDetermined, denied or authorized.
    public let status: String
    /// The purpose.
    public let purpose: String

    /// Creates a row from the status in a storage.
    public init(of subject: AccessSubject, in storage: Storage) throws {
        what = subject.rawValue
        status = try storage.status(of: subject).rawValue
        purpose = subject.defaultPurpose
    }
}
