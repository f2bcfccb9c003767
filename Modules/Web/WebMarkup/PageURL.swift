/// A URL on a page, resolved against the page's URL (RFC 3986, 5.2) and normalized.
///
/// Unlike Foundation's `URL`, it keeps the braces of templates such as `/search?q={term}`.
struct PageURL: Equatable {
    /// The scheme in lower case; `nil` in a relative reference.
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    static let maximumLength = 8192

    /// Parses a URL reference; `nil` if it is empty or too long.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        // As in browsers: remove tabs and line breaks, and trim spaces.
        var rest = Substring(
            String(String.UnicodeScalarView(text.unicodeScalars.filter { !"\t\n\r".unicodeScalars.contains($0) })))
        while let first = rest.unicodeScalars.first, first.value <= 0x20 { rest.unicodeScalars.removeFirst() }
        while let last = rest.unicodeScalars.last, last.value <= 0x20 { rest.unicodeScalars.removeLast() }
        guard !rest.isEmpty else { return nil }
        if let hash = rest.firstIndex(of: "#") {
            fragment = Self.encoded(rest[rest.index(after: hash)...])
            rest = rest[..<hash]
        }
        if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":", Self.isScheme(rest[..<colon])
        {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if let mark = rest.firstIndex(of: "?") {
            query = Self.encoded(rest[rest.index(after: mark)...])
            rest = rest[..<mark]
        }
        if rest.contains("\\"), scheme.map({ $0 == "http" || $0 == "https" }) ?? true {
            rest = Substring(rest.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "/"))
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = Self.encoded(rest)
    }

    /// Returns the reference resolved against a base URL.
    func resolved(against base: PageURL?) -> PageURL {
        var url = self
        if scheme == nil, let base {
            url.scheme = base.scheme
            if authority == nil {
                url.authority = base.authority
                if path.isEmpty {
                    url.path = base.path
                    url.query = query ?? base.query
                } else if !path.hasPrefix("/") {
                    let folder =
                        base.path.lastIndex(of: "/").map { base.path[...$0] } ?? (base.authority == nil ? "" : "/")
                    url.path = folder + path
                }
            }
        }
        url.path = Self.removingDotSegments(url.path)
        return url
    }

    /// The URL string, if it is http or https with a host, and without user information; otherwise `nil`.
    var webText: String? {
        guard let scheme, scheme == "http" || scheme == "https", let host = hostAndPort(scheme) else { return nil }
        return "\(scheme)://\(host)\(path.hasPrefix("/") ? "" : "/")\(path)" + suffix
    }

    /// The URL string with any scheme; `nil` if it has none.
    var text: String? {
        if let webText { return webText }
        guard let scheme, scheme != "http", scheme != "https" else { return nil }
        return "\(scheme):" + (authority.map { "//\($0)" } ?? "") + path + suffix
    }

    private var suffix: String { (query.map { "?\($0)" } ?? "") + (fragment.map { "#\($0)" } ?? "") }

    /// The URL without its fragment.
    var page: PageURL {
        var url = self
        url.fragment = nil
        return url
    }

    /// A key that ignores the scheme, `www.` and a trailing slash.
    var comparisonKey: String? {
        guard let siteKey else { return text }
        return siteKey + (path.hasSuffix("/") ? path.dropLast() : path[...]) + (query.map { "?\($0)" } ?? "")
    }

    /// Returns whether both URLs are on one site: equal hosts, or a subdomain of the other. Any URL matches a page
    /// without a web URL.
    func isOnSameSite(as other: PageURL?) -> Bool {
        guard let other, other.webText != nil else { return true }
        guard let mine = siteKey, let theirs = other.siteKey else { return false }
        return mine == theirs || mine.hasSuffix(".\(theirs)") || theirs.hasSuffix(".\(mine)")
    }

    private var siteKey: String? {
        guard let scheme, let host = hostAndPort(scheme) else { return nil }
        return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }

    // MARK: - Components

    private func hostAndPort(_ scheme: String) -> String? {
        guard let authority else { return nil }
        var host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map { $0.lowercased() } ?? ""
        let standardPort = scheme == "http" ? ":80" : ":443"
        if host.hasSuffix(standardPort) { host.removeLast(standardPort.count) }
        if host.hasSuffix(":") { host.removeLast() }
        let forbidden = " <>\"^`|{}%\\"
        guard !host.isEmpty,
            !host.unicodeScalars.contains(where: { $0.value < 0x20 || forbidden.unicodeScalars.contains($0) })
        else { return nil }
        return host
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    }

    /// Returns the text with illegal characters percent-encoded.
    private static func encoded(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0...0x20, 0x22, 0x3C, 0x3E, 0x60, 0x7F...:
                result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Removes dot segments (RFC 3986, 5.2.4).
    private static func removingDotSegments(_ path: String) -> String {
        guard path.contains("/.") || path.hasPrefix(".") else { return path }
        var kept: [Substring] = []
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            let isLast = number == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(part)
            }
        }
        return kept.joined(separator: "/")
    }
}
