import CSwitchboardWebPage

/// The web page at `/`: the files that a browser loads, as bytes of the program.
///
/// For example, everything a server has to know to answer `GET /`:
///
///     let file = WebPage.file(at: "/")
///     file?.contentType  // "text/html; charset=utf-8"
///     file?.bytes.count
///
/// The sources are in `Apps/switchboard-server/CWebPage/page`. Nothing is built from them: what is there is what is served.
public enum WebPage {
    /// A file of the page.
    public struct File: Sendable {
        /// Where it is served, from the first slash on.
        public let path: String
        /// The value of `Content-Type`.
        public let contentType: String
        /// What is in it.
        public let bytes: [UInt8]

        fileprivate init(_ file: sb_page_file) {
            path = String(cString: file.path)
            contentType = String(cString: file.type)
            bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        }
    }

    /// All files, the page itself first. Every path is there once.
    public static let files: [File] = {
        var count = 0
        let first = sb_page_files(&count)
        return UnsafeBufferPointer(start: first, count: count).map(File.init)
    }()

    private static let filesByPath = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

    /// The file that is served at a path, or nil if there is none. Constant time.
    public static func file(at path: String) -> File? { filesByPath[path] }

    /// What the page may load, as a value of `Content-Security-Policy`: scripts, styles and answers of its own origin alone, nothing
    /// inline, pictures also of its own making, and no text that is read as markup (Trusted Types).
    public static let contentSecurityPolicy = [
        "default-src 'self'", "img-src 'self' data: blob:", "media-src 'self' blob:", "object-src 'none'",
        "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")

    /// What the page may ask the browser for, as a value of `Permissions-Policy`: the camera for badges, the place for airports.
    public static let permissionsPolicy =
        "camera=(self), geolocation=(self), screen-wake-lock=(self), microphone=(), payment=(), usb=()"
}
