/// Badges of events: what the codes on them say, reading them from pictures, and writing one's own.
///
/// The module knows no list of people and no database; it can be taken alone.
///
/// For example, from a picture to people, and from a person to a picture:
///
/// ```swift
/// for code in try BadgeReader().read(pictureFile) {
///     print(try code.badge.get().name)
/// }
/// let mine = Badge(name: "Łukasz Nowak", email: "lukasz@example.org")
/// let code = try QRCode(mine.vCard)
/// print(code.text(.blackOnWhite))
/// try code.svg().write(toFile: "badge.svg", atomically: true, encoding: .utf8)
/// ```
///
/// ## What there is
///
/// - What a badge says: ``Badge``, ``BadgePayload``
/// - Reading: ``BadgeReader``, ``ScannedCode``, ``BadgeReadingError``
/// - Writing: ``QRCode``, ``QRCodeError``
public enum Badges {}
