import CSwitchboardWebPage

// Each `unsafe` is safe because the embedded files are constants of the program, with names that end with NUL and
// contents with their size.

/// The files of the web page, embedded in the program.
///
/// For example:
///
///     let file = WebPage.file(at: "/")
///     file?.contentType  // "text/html; charset=utf-8"
///     file?.bytes.count
///
/// The sources are in `CWebPage/page`; `Scripts/page/bundle` joins their scripts and styles into `CWebPage/bundle`.
public enum WebPage {
    /// A file of the page.
    public struct File: Sendable {
        /// The path of the URL, with a leading slash.
        public let path: String
        /// The value of `Content-Type`.
        public let contentType: String
        /// `true` if the path contains a hash of the content, so browsers never need to revalidate it.
        public var isImmutable: Bool { path.hasPrefix("/page/") && [".js", ".css"].contains { path.hasSuffix($0) } }
        /// `true` for a script that pages of other sites load.
        public var isForOtherSites: Bool { path.hasPrefix("/embed/") }
        /// The value of `Cache-Control`.
        ///
        /// The page is always revalidated; it names the script and the styles of its own version.
        public var cacheControl: String {
            if isImmutable { return "public, max-age=31536000, immutable" }
            return isForOtherSites ? "public, max-age=3600, stale-while-revalidate=604800" : "no-cache"
        }
        /// The content.
        public let bytes: [UInt8]

        fileprivate init(_ file: sb_page_file) {
            path = unsafe String(cString: file.path)
            contentType = unsafe String(cString: file.type)
            bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
        }
    }

    /// All files, starting with the page itself. Paths are unique.
    public static let files: [File] = {
        var count = 0
        let first = unsafe sb_page_files(&count)
        return unsafe UnsafeBufferPointer(start: first, count: count).map(File.init)
    }()

    private static let filesByPath = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })

    /// Returns the file at a path; nil if it does not exist.
    ///
    /// - Complexity: O(1)
    public static func file(at path: String) -> File? { filesByPath[path] }

    /// The value of `Content-Security-Policy`.
    ///
    /// It allows only resources of the same origin and generated images. Inline code and markup from text (Trusted
    /// Types) are forbidden; the only policy is for the URL of the service worker.
    public static let contentSecurityPolicy = [
        "default-src 'self'", "img-src 'self' data: blob:", "media-src 'self' blob:", "object-src 'none'",
        "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types worker",
    ].joined(separator: "; ")

    /// The value of `Permissions-Policy`, which allows the camera for badges and the location for airports.
    public static let permissionsPolicy =
        "camera=(self), geolocation=(self), screen-wake-lock=(self), microphone=(), payment=(), usb=()"
}
