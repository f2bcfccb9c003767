/// Event badges: parsing their codes, reading them from pictures, and writing one's own.
///
/// The module needs no database and can be used on its own.
///
/// For example:
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
/// ## Topics
///
/// - Contents: ``Badge``, ``BadgePayload``
/// - Reading: ``BadgeReader``, ``ScannedCode``, ``BadgeReadingError``
/// - Writing: ``QRCode``, ``QRCodeError``
public enum Badges {}
