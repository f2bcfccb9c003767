import CSwitchboardCurl

/// One request and its answer, while libcurl works on it.
struct Exchange {
    /// What came of a request.
    struct Answer {
        let outcome: sb_curl_outcome
        let status: Int
        /// Where a redirect leads; nil if it leads nowhere.
        let redirect: String?
        let reason: String
        let headers: [FetchedPage.Header]
        let body: [UInt8]
        /// The address that was connected to.
        let address: NetworkAddress?
        let refusedAddress: NetworkAddress?
        /// Why it was stopped before its end.
        let stop: Stop?
    }

    enum Stop {
        case headTooLarge
        case bodyTooLarge
        case wrongType(String)
    }

    private static let longestHead = 64 << 10

    private var headers: [FetchedPage.Header] = []
    private var headLength = 0
    private var status = 0
    private var body: [UInt8] = []
    private var address: NetworkAddress?
    private var refusedAddress: NetworkAddress?
    private var stop: Stop?

    private let limit: Int
    private let acceptedTypes: Set<String>?
    private let mayConnect: (NetworkAddress) -> Bool
    private let isCancelled: () -> Bool

    private init(
        limit: Int, acceptedTypes: Set<String>?, mayConnect: @escaping (NetworkAddress) -> Bool,
        isCancelled: @escaping () -> Bool
    ) {
        self.limit = limit
        self.acceptedTypes = acceptedTypes
        self.mayConnect = mayConnect
        self.isCancelled = isCancelled
    }

    /// Sends a GET request, without following redirects.
    static func get(
        _ url: String, agent: String, headers: [String: String], limit: Int, acceptedTypes: Set<String>?, unpacks: Bool,
        connecting: Duration, total: Duration, mayConnect: @escaping (NetworkAddress) -> Bool,
        isCancelled: @escaping () -> Bool
    ) -> Answer {
        var exchange = Exchange(
            limit: limit, acceptedTypes: acceptedTypes, mayConnect: mayConnect, isCancelled: isCancelled)
        var answer = sb_curl_answer()
        var redirect = [CChar](repeating: 0, count: 8193)
        var reason = [CChar](repeating: 0, count: 256)
        let lines = headers.sorted { $0.key < $1.key }.map { "\(oneLine($0.key)): \(oneLine($0.value))" }
        withUnsafeMutablePointer(to: &exchange) { exchange in
            withCStrings([url, agent] + lines) { strings in
                var request = sb_curl_request(
                    address: strings[0], user_agent: strings[1], headers: strings.baseAddress.map { $0 + 2 },
                    connect_milliseconds: connecting.milliseconds, total_milliseconds: total.milliseconds,
                    limit: Int64(limit), unpacks: unpacks, context: exchange,
                    may_connect: { take($0)?.pointee.asks(UnsafeBufferPointer(start: $1, count: $2)) ?? false },
                    take_header: { take($0)?.pointee.takeHeader(UnsafeBufferPointer(start: $1, count: $2)) ?? false },
                    take_body: { take($0)?.pointee.takeBody(UnsafeBufferPointer(start: $1, count: $2)) ?? false },
                    is_cancelled: { take($0)?.pointee.isCancelled() ?? true })
                answer = sb_curl_get(&request, &redirect, redirect.count, &reason, reason.count)
            }
        }
        return exchange.answer(
            answer.outcome, status: answer.status, redirect: text(redirect), reason: text(reason))
    }

    private func answer(_ outcome: sb_curl_outcome, status: Int, redirect: String, reason: String) -> Answer {
        Answer(
            outcome: outcome, status: status, redirect: redirect.isEmpty ? nil : redirect, reason: reason,
            headers: headers,
            body: body, address: address, refusedAddress: refusedAddress, stop: stop)
    }

    // MARK: - What libcurl asks and tells

    private mutating func asks(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let address = NetworkAddress(bytes: Array(bytes)) else { return false }
        guard mayConnect(address) else {
            refusedAddress = address
            return false
        }
        self.address = address
        return true
    }

    private mutating func takeHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        headLength += bytes.count
        guard headLength <= Self.longestHead else {
            stop = .headTooLarge
            return false
        }
        let line = String(decoding: bytes, as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // An answer before the answer, such as "100 Continue", is forgotten.
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
        // What a redirect says beside its target is of no use; a type that is not wanted is not fetched.
        if (300...399).contains(status), status != 304 { return true }
        if body.isEmpty, let acceptedTypes, (200...299).contains(status),
            let type = headers.last(where: { $0.name == "content-type" }).map({ Self.mediaType($0.value) }),
            !acceptedTypes.contains(type)
        {
            stop = .wrongType(type)
            return false
        }
        guard body.count + bytes.count <= limit else {
            body.append(contentsOf: bytes.prefix(limit - body.count))
            stop = .bodyTooLarge
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private static func mediaType(_ value: String) -> String {
        value.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
    }

    /// A header's name or value must not begin another one.
    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}

private func take(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Exchange>? {
    context?.assumingMemoryBound(to: Exchange.self)
}

/// The text in a room that C has filled, up to its NUL.
private func text(_ room: [CChar]) -> String {
    String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Texts as C has them, followed by a NULL.
private func withCStrings(_ texts: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Void) {
    let bytes = texts.map { Array($0.utf8).filter { $0 != 0 } + [0] }
    let joined = bytes.joined().map { CChar(bitPattern: $0) }
    joined.withUnsafeBufferPointer { joined in
        var place = 0
        var strings: [UnsafePointer<CChar>?] = []
        for text in bytes {
            strings.append(joined.baseAddress.map { $0 + place })
            place += text.count
        }
        strings.append(nil)
        strings.withUnsafeBufferPointer(body)
    }
}

extension Duration {
    /// At least one, since libcurl takes zero for any time.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return max(1, seconds.clamped(to: 0...1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}

extension Int64 {
    fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
