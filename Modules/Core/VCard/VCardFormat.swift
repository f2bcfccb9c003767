/// The vCard format, versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350).
///
/// This module handles the syntax only. Names, numbers and addresses are interpreted by its clients.
///
/// For example:
///
/// ```swift
/// var reader = try VCardReader(ByteStream(Array(text.utf8)))
/// while let card = try reader.next() {
///     print(card.properties.first { $0.name == "FN" }?.text ?? "(no name)")
/// }
/// ```
public enum VCardFormat {
    /// The versions that ``VCardReader`` accepts.
    public static let versions = ["2.1", "3.0", "4.0"]
}
