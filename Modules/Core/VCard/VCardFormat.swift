/// The format of vCards, versions 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350): bytes in, properties out, and lines back.
///
/// It knows how a card is written, not what it means: names, numbers and addresses are made of properties by whoever reads
/// them, the contact book and the reader of badges. It touches no file of its own.
///
/// For example:
///
/// ```swift
/// var reader = try VCardReader(ByteStream(Array(text.utf8)))
/// while let card = try reader.next() {
///     print(card.properties.first { $0.name == "FN" }?.text ?? "nobody")
/// }
/// ```
///
/// ## What there is
///
/// - Reading: ``VCardReader``, ``VCard``, ``VCardProperty``, ``MalformedInput``
/// - Writing: ``VCardLines``, ``VCardText``
/// - Bytes: ``ByteStream``, ``LineReader``, ``Charset``
public enum VCardFormat {
    /// The versions that can be read.
    public static let versions = ["2.1", "3.0", "4.0"]
}
