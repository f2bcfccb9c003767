/// The options of a server; see `docs/server.md`.
struct ServerOptions: Sendable {
    /// The data folder.
    var data: String
    var host = "127.0.0.1"
    var port = 8080
    /// The public host names, besides the loopback names.
    var publicHosts: [String] = []
    /// The sites whose pages may search airports.
    var allowedOrigins: [Origin] = []
    /// The networks of reverse proxies whose forwarded addresses are trusted, besides this machine.
    var trustedProxies: [AddressRange] = []
    /// The header in which those proxies forward the address of their client.
    var forwardedHeader = ForwardedHeader.xForwardedFor
    /// The territory of phone numbers without a country code.
    var region: String?
    /// The requests per second for each token and address; 0 for no limit.
    var requestsPerSecond = 200.0
    /// The number of people who must engage with an item before it becomes public.
    var publicThreshold = 5
    /// The time after which an unused database is closed.
    var idleTime = Duration.seconds(300)
    /// The size of the cache of airport responses; 0 disables it.
    var cacheMegabytes = 16
    /// The PEM files of the TLS certificate and its key; both or neither.
    var certificate: String?
    var key: String?
    /// The push services that may have a private address, or use HTTP.
    var pushServices: [Origin] = []
    /// The command that delivers reminders.
    var deliverWith: String?
    /// The connection string of the PostgreSQL database that several servers share.
    var cluster: String?
    /// The time to wait for a PostgreSQL server that accepts writes.
    var clusterWait = ServerOptions.defaultClusterWait
    /// The file to write the port to once the server listens.
    var portFile: String?

    static let defaultClusterWait = Duration.seconds(15)

    /// `true` if clients use HTTPS; cookies are then marked `Secure`.
    var isSecure: Bool { certificate != nil || isBehindTLS }
    /// `true` if a reverse proxy terminates TLS.
    var isBehindTLS = false
    /// `true` if requests come through a reverse proxy, in which case none counts as local.
    var isBehindProxy: Bool { isBehindTLS || !trustedProxies.isEmpty || !publicHosts.isEmpty }
    /// `true` if the server listens on this machine's loopback address only.
    var isLocal: Bool { ["localhost", "::1"].contains(host) || host.hasPrefix("127.") }
}
