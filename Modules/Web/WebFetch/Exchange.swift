import CSwitchboardCurl

// Each `unsafe` is safe because the C code calls back only during `sb_curl_send`, on the same thread, with the exchange as
// its context and with bytes that live during the call. All of them are copied. The request and its strings, which end
// with NUL, live as long as that call.

/// A request and its response, which libcurl fills in.
struct Exchange {
    enum AbortReason {
        case headTooLarge
        case bodyTooLarge
        case wrongType(String)
    }

    private static let maximumHeaderSize = 64 << 10

    private(set) var outcome = sb_curl_no_library
    private(set) var status = 0
    private(set) var redirect: String?
    /// libcurl's description of a failure.
    private(set) var reason = ""
    private(set) var headers: [FetchedPage.Header] = []
    private(set) var body: [UInt8] = []
    private(set) var address: NetworkAddress?
    private(set) var refusedAddress: NetworkAddress?
    private(set) var abortReason: AbortReason?
    private var headerSize = 0

    private let limit: Int
    private let acceptedTypes: Set<String>?
    private let mayConnect: (NetworkAddress) -> Bool
    private let isCancelled: () -> Bool

    /// Sends a request without following redirects.
    ///
    /// - Parameter sentBody: The body of a POST request; nil for a GET request.
    init(
        _ url: String, sending sentBody: [UInt8]?, agent: String, headers: [String: String], limit: Int,
        acceptedTypes: Set<String>?,
        decompresses: Bool, connectTimeout: Duration, totalTimeout: Duration,
        mayConnect: @escaping (NetworkAddress) -> Bool, isCancelled: @escaping () -> Bool
    ) {
        self.limit = limit
        self.acceptedTypes = acceptedTypes
        self.mayConnect = mayConnect
        self.isCancelled = isCancelled
        var response = sb_curl_answer()
        var redirect = [CChar](repeating: 0, count: 8193)
        var reason = [CChar](repeating: 0, count: 256)
        let lines = headers.sorted { $0.key < $1.key }.map {
            "\(Self.withoutControlCharacters($0.key)): \(Self.withoutControlCharacters($0.value))"
        }
        // An array without elements may have no address.
        let sent = sentBody.map { $0 + [0] }
        unsafe withUnsafeMutablePointer(to: &self) { exchange in
            unsafe withOptionalBytes(sent) { bytes in
                unsafe withCStrings([url, agent] + lines) { strings in
                    var request = unsafe sb_curl_request(
                        address: strings[0], user_agent: strings[1], headers: strings.baseAddress.map { unsafe $0 + 2 },
                        body: bytes, body_length: sentBody?.count ?? 0,
                        connect_milliseconds: connectTimeout.milliseconds,
                        total_milliseconds: totalTimeout.milliseconds,
                        limit: Int64(limit), unpacks: decompresses, context: exchange,
                        may_connect: {
                            unsafe exchangePointer($0)?.pointee.willConnect(UnsafeBufferPointer(start: $1, count: $2))
                                ?? false
                        },
                        take_header: {
                            unsafe exchangePointer($0)?.pointee.takeHeader(UnsafeBufferPointer(start: $1, count: $2))
                                ?? false
                        },
                        take_body: {
                            unsafe exchangePointer($0)?.pointee.takeBody(UnsafeBufferPointer(start: $1, count: $2))
                                ?? false
                        },
                        is_cancelled: { unsafe exchangePointer($0)?.pointee.isCancelled() ?? true })
                    response = unsafe sb_curl_send(&request, &redirect, redirect.count, &reason, reason.count)
                }
            }
        }
        outcome = response.outcome
        status = response.status
        self.redirect = redirect[0] == 0 ? nil : text(redirect)
        self.reason = text(reason)
    }

    // MARK: - Callbacks of libcurl

    private mutating func willConnect(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let address = unsafe NetworkAddress(bytes: Array(bytes)) else { return false }
        guard mayConnect(address) else {
            refusedAddress = address
            return false
        }
        self.address = address
        return true
    }

    private mutating func takeHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        headerSize += bytes.count
        guard headerSize <= Self.maximumHeaderSize else {
            abortReason = .headTooLarge
            return false
        }
        let line = unsafe String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // Discard an interim response such as "100 Continue".
            headers = []
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].filter { !$0.isNewline }
            let trimmed = value.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
            headers.append(.init(name: line[..<colon].lowercased(), value: String(trimmed)))
        }
        return true
    }

    private mutating func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // The body of a redirect is ignored, and unaccepted types are not fetched.
        if (300...399).contains(status), status != 304 { return true }
        if body.isEmpty, let acceptedTypes, (200...299).contains(status),
            let type = headers.last(where: { $0.name == "content-type" }).map({ Self.mediaType($0.value) }),
            !acceptedTypes.contains(type)
        {
            abortReason = .wrongType(type)
            return false
        }
        guard body.count + bytes.count <= limit else {
            unsafe body.append(contentsOf: bytes.prefix(limit - body.count))
            abortReason = .bodyTooLarge
            return false
        }
        unsafe body.append(contentsOf: bytes)
        return true
    }

    private static func mediaType(_ value: String) -> String {
        value.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    }

    /// Returns a header name or value without control characters, which prevents header injection.
    private static func withoutControlCharacters(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}

private func exchangePointer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Exchange>? {
    unsafe context?.assumingMemoryBound(to: Exchange.self)
}

/// Returns the text in a C buffer, up to its NUL.
private func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Calls `body` with the address of bytes, or with nil if there are none.
private func withOptionalBytes(_ bytes: [UInt8]?, _ body: (UnsafePointer<UInt8>?) -> Void) {
    guard let bytes else { return body(nil) }
    unsafe bytes.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}

/// Calls `body` with C strings, followed by a NULL.
private func withCStrings(_ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Void) {
    let bytes = texts.map { Array($0.utf8).filter { $0 != 0 } + [0] }
    let joined = bytes.joined().map { CChar(bitPattern: $0) }
    unsafe joined.withUnsafeBufferPointer { joined in
        var offset = 0
        var strings: [UnsafePointer<CChar>?] = unsafe []
        for text in bytes {
            unsafe strings.append(joined.baseAddress.map { unsafe $0 + offset })
            offset += text.count
        }
        unsafe strings.append(nil)
        unsafe strings.withUnsafeBufferPointer(body)
    }
}

extension Duration {
    /// The duration in milliseconds, at least one, since zero means no timeout for libcurl.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, min(max(seconds, 0), 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}

/// An IPv4 or IPv6 address.
public struct NetworkAddress: Hashable, Sendable {
    /// The four or sixteen bytes, in network order.
    public let bytes: [UInt8]

    /// Creates an address from its bytes; `nil` unless there are 4 or 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Indicates that the address is publicly routable: not loopback, private, link-local, unique-local, carrier-grade
    /// NAT, multicast, documentation or reserved, and not an IPv6 address that maps to such an IPv4 address.
    ///
    /// Source: IANA special-purpose address registries (RFC 6890 and updates).
    public var isPublic: Bool {
        bytes.count == 4 ? Self.isPublic(ipv4: bytes[...]) : isPublicIPv6
    }

    private static func isPublic(ipv4 bytes: ArraySlice<UInt8>) -> Bool {
        let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !specialIPv4.contains { value >> (32 - $0.length) == $0.value >> (32 - $0.length) }
    }

    private static let specialIPv4: [(value: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // carrier-grade NAT
        (0x7F00_0000, 8),  // loopback
        (0xA9FE_0000, 16),  // link-local, including the metadata services of clouds
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocols of the IETF
        (0xC000_0200, 24),  // documentation
        (0xC058_6300, 24),  // 6to4 relays
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // benchmarks
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 4),  // multicast
        (0xF000_0000, 4),  // reserved, broadcast
    ]

    private var isPublicIPv6: Bool {
        // IPv4 addresses in IPv6: mapped (::ffff:0:0/96) and NAT64 (64:ff9b::/96, RFC 6052).
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if isMapped || bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return Self.isPublic(ipv4: bytes[12...])
        }
        // Of all other addresses, only 2000::/3 is global unicast.
        guard bytes[0] >> 5 == 0b001 else { return false }
        if bytes[0] == 0x20, bytes[1] == 0x01 {
            // 2001::/23 is for protocols such as Teredo, 2001:db8::/32 for documentation.
            return !(bytes[2] < 0x02 || (bytes[2] == 0x0D && bytes[3] == 0xB8))
        }
        // 6to4 reaches any IPv4 address; 3fff::/20 is for documentation.
        return !(bytes[0] == 0x20 && bytes[1] == 0x02) && !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] >> 4 == 0)
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The textual form, such as `192.0.2.1` or `2001:db8:0:0:0:0:0:1`.
    public var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
