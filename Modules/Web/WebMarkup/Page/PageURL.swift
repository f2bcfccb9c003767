/// Addresses on a page, resolved against the page's own (RFC 3986, 5.2), in one form.
///
/// Templates such as `/search?q={term}` keep their braces, for which Foundation's `URL` has no room.
struct PageURL: Equatable {
    /// In small letters; nil in a relative reference.
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Longer ones are refused.
    static let longest = 8192

    /// Takes an address apart; nil if it is too long or has nothing in it.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.longest else { return nil }
        // As browsers do: no line breaks and tabs inside, no blanks around.
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

    /// This reference, seen from a page.
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
        url.path = Self.withoutDots(url.path)
        return url
    }

    /// The address as text, if it leads to the web: http or https, with a host and without a name and password; else
    /// nil.
    var webText: String? {
        guard let scheme, scheme == "http" || scheme == "https", let host = hostAndPort(scheme) else { return nil }
        return "\(scheme)://\(host)\(path.hasPrefix("/") ? "" : "/")\(path)" + (query.map { "?\($0)" } ?? "")
            + (fragment.map { "#\($0)" } ?? "")
    }

    /// The address as text, whatever its scheme; nil if it has none.
    var text: String? {
        if let webText { return webText }
        guard let scheme, scheme != "http", scheme != "https" else { return nil }
        return "\(scheme):" + (authority.map { "//\($0)" } ?? "") + path + (query.map { "?\($0)" } ?? "")
            + (fragment.map { "#\($0)" } ?? "")
    }

    /// The same page, without its fragment.
    var page: PageURL {
        var url = self
        url.fragment = nil
        return url
    }

    /// What stays the same when a site moves to https, drops `www.` or a slash at the end.
    var placeKey: String? {
        guard let scheme, let host = hostAndPort(scheme) else { return text }
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        return (host.hasPrefix("www.") ? String(host.dropFirst(4)) : host) + trimmed + (query.map { "?\($0)" } ?? "")
    }

    /// Whether an address may speak for another: both of one host, or one host a part of the other's domain. For what
    /// no
    /// address of the web is known, any may.
    func isOfSameSite(as other: PageURL?) -> Bool {
        guard let other, other.webText != nil else { return true }
        guard let mine = siteKey, let theirs = other.siteKey else { return false }
        return mine == theirs || mine.hasSuffix(".\(theirs)") || theirs.hasSuffix(".\(mine)")
    }

    private var siteKey: String? {
        guard let scheme, let host = hostAndPort(scheme) else { return nil }
        return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }

    // MARK: - Parts

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
        guard let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// With what may not stand in an address as percent signs and hexadecimal digits.
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

    /// Without `.` and `..` (RFC 3986, 5.2.4).
    private static func withoutDots(_ path: String) -> String {
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
