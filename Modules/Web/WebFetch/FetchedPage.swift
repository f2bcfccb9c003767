/// What is to be fetched.
public struct FetchRequest: Hashable, Sendable {
    /// The address, http or https.
    public var url: String
    /// Further headers, such as `If-None-Match`. They are not sent to another host that a redirect leads to.
    public var headers: [String: String]
    /// The media types that are wanted; the body of another one is not fetched. Nil is any.
    public var acceptedTypes: Set<String>?
    /// Whether the robots.txt of each site is asked first.
    public var obeysRobots: Bool
    /// Whether a packed body is unpacked.
    ///
    /// Otherwise gzip is asked for and given as it came, for who can tell a file that breaks off from a whole one.
    public var unpacks: Bool
    /// Whether a redirect may lead to another server; https instead of http at the usual ports is the same one.
    public var mayLeaveServer: Bool

    /// What a page with markup may be sent as.
    public static let pageTypes: Set<String> = [
        "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain",
    ]

    /// Makes a request.
    public init(
        _ url: String, headers: [String: String] = [:], acceptedTypes: Set<String>? = nil, obeysRobots: Bool = false,
        unpacks: Bool = true, mayLeaveServer: Bool = true
    ) {
        self.url = url
        self.headers = headers
        self.acceptedTypes = acceptedTypes
        self.obeysRobots = obeysRobots
        self.unpacks = unpacks
        self.mayLeaveServer = mayLeaveServer
    }
}

/// How much may be fetched, and for how long.
public struct FetchLimits: Hashable, Sendable {
    /// The most bytes of a body, unpacked if it is unpacked at all.
    public var bytes: Int
    /// How long connecting to one host may take.
    public var connecting: Duration
    /// How long everything may take: robots.txt, redirects and the answer.
    public var total: Duration
    /// The most redirects.
    public var redirects: Int

    /// Makes limits; unless told otherwise 16 MiB, ten seconds to connect, thirty in all, five redirects.
    public init(
        bytes: Int = 16 << 20, connecting: Duration = .seconds(10), total: Duration = .seconds(30), redirects: Int = 5
    ) {
        self.bytes = max(bytes, 1)
        self.connecting = connecting
        self.total = total
        self.redirects = redirects
    }
}

/// What was fetched.
public struct FetchedPage: Hashable, Sendable {
    /// Where it is, after all redirects.
    public let url: String
    /// The status of HTTP, such as 200, 304 or 404.
    public let status: Int
    /// The headers in order, as they were sent.
    public let headers: [Header]
    /// The body, unpacked unless the request wanted it as it comes.
    public let body: [UInt8]

    /// One header.
    public struct Header: Hashable, Sendable {
        /// Its name, in small letters.
        public let name: String
        /// What it says.
        public let value: String
    }

    /// The values of a header, whose name is given in small letters.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }

    /// The type and encoding of the body, as sent.
    public var contentType: String? { values(of: "content-type").last }
    /// What search engines may do with it: the values of `X-Robots-Tag`.
    public var robotsTags: [String] { values(of: "x-robots-tag") }
    /// The mark of this version, for `If-None-Match`.
    public var entityTag: String? { values(of: "etag").last }

    /// Throws ``WebFetchError/status(url:status:)`` unless the status is one of success (200–299) or 304.
    public func requireSuccess() throws(WebFetchError) {
        guard (200...299).contains(status) || status == 304 else { throw .status(url: url, status: status) }
    }
}
