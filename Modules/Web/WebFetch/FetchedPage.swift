/// A request: GET, or POST if it has a body.
public struct FetchRequest: Hashable, Sendable {
    /// The URL, with http or https.
    public var url: String
    /// Additional headers, such as `If-None-Match`. They are not sent to another origin after a redirect.
    public var headers: [String: String]
    /// The accepted media types; the body of other types is not fetched. `nil` accepts any.
    public var acceptedTypes: Set<String>?
    /// Indicates that robots.txt of each site is checked first.
    public var obeysRobots: Bool
    /// Indicates that a compressed body is decompressed.
    ///
    /// Otherwise gzip is requested and returned as received, for callers that detect truncation themselves.
    public var decompresses: Bool
    /// Indicates that redirects may lead to another server. An upgrade from http to https on default ports is the same
    /// server.
    public var allowsOtherServers: Bool
    /// The body of a POST request; `nil` for a GET request. Each redirect sends it again.
    public var body: [UInt8]?

    /// The media types of pages with markup.
    public static let pageTypes: Set<String> = [
        "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain",
    ]

    /// Creates a request.
    public init(
        _ url: String, headers: [String: String] = [:], acceptedTypes: Set<String>? = nil, obeysRobots: Bool = false,
        decompresses: Bool = true, allowsOtherServers: Bool = true, body: [UInt8]? = nil
    ) {
        self.url = url
        self.headers = headers
        self.acceptedTypes = acceptedTypes
        self.obeysRobots = obeysRobots
        self.decompresses = decompresses
        self.allowsOtherServers = allowsOtherServers
        self.body = body
    }
}

/// Limits on size and time.
public struct FetchLimits: Hashable, Sendable {
    /// The maximum size of the body in bytes, after decompression.
    public var bytes: Int
    /// The timeout for connecting to a host.
    public var connectTimeout: Duration
    /// The timeout for everything: robots.txt, redirects and the response.
    public var totalTimeout: Duration
    /// The maximum number of redirects.
    public var redirects: Int

    /// Creates limits.
    public init(
        bytes: Int = 16 << 20, connectTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(30),
        redirects: Int = 5
    ) {
        self.bytes = max(bytes, 1)
        self.connectTimeout = connectTimeout
        self.totalTimeout = totalTimeout
        self.redirects = redirects
    }
}

/// A response.
public struct FetchedPage: Hashable, Sendable {
    /// The URL after all redirects.
    public let url: String
    /// The HTTP status, such as 200, 304 or 404.
    public let status: Int
    /// The headers in the order received.
    public let headers: [Header]
    /// The body, decompressed unless the request says otherwise.
    public let body: [UInt8]

    /// A header.
    public struct Header: Hashable, Sendable {
        /// The name in lower case.
        public let name: String
        /// The value.
        public let value: String
    }

    /// Returns the values of a header by its name in lower case.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name == name }.map(\.value)
    }

    /// The content type of the body.
    public var contentType: String? { values(of: "content-type").last }
    /// The values of `X-Robots-Tag`, with directives for search engines.
    public var robotsTags: [String] { values(of: "x-robots-tag") }
    /// The entity tag of this version, for `If-None-Match`.
    public var entityTag: String? { values(of: "etag").last }

    /// Throws ``WebFetchError/status(url:status:)`` unless the status is 200–299 or 304.
    public func requireSuccess() throws(WebFetchError) {
        guard (200...299).contains(status) || status == 304 else { throw .status(url: url, status: status) }
    }
}
