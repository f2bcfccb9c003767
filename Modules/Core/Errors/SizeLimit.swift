/// The maximum sizes of input from users and programs, in bytes of UTF-8.
///
/// Searches read all texts of an object, and lists contain them, so one huge field would make both slow.
public enum SizeLimit {
    /// The maximum size of a name and of other short fields: 1 KiB.
    public static let name = 1 << 10
    /// The maximum size of a web address: 8 KiB.
    public static let url = 8 << 10
    /// The maximum size of a note or a description: 64 KiB.
    public static let note = 64 << 10
    /// The maximum size of all texts of an object: 1 MiB.
    public static let object = 1 << 20
    /// The maximum number of elements of a list, such as the phone numbers of a contact.
    public static let elements = 1_000
}

extension ErrorDetails {
    /// Returns the details of an error about a field that is too long.
    ///
    /// - Parameters:
    ///   - name: The display name of the field.
    ///   - limit: The maximum size in bytes.
    ///   - field: The name of the field in JSON; nil for the whole object.
    package static func tooLong(_ name: String, limit: Int, field: String?) -> ErrorDetails {
        ErrorDetails("tooLong", .usage, "\(name): longer than \(size(limit)); shorten it", field: field)
    }

    /// Returns the details of an error about a list with too many elements.
    package static func tooMany(_ name: String, limit: Int, field: String?) -> ErrorDetails {
        ErrorDetails("tooMany", .usage, "\(name): more than \(limit) entries; remove some", field: field)
    }

    /// Returns the details of an error about a text that contains U+0000. SQLite would truncate the text there.
    package static func nulText(_ name: String, field: String?) -> ErrorDetails {
        ErrorDetails("nulText", .usage, "\(name): \(nulReason)", field: field)
    }

    /// The message for a text that contains U+0000: the problem and its remedy.
    package static let nulReason = "contains the character U+0000; remove it"

    /// Returns a size as shown to users: "64 KiB".
    package static func size(_ bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}
