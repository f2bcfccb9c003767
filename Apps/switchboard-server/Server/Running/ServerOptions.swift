/// How a server is run; see `docs/server.md`.
struct ServerOptions: Sendable {
    /// The folder in which everything is kept.
    var data: String
    var host = "127.0.0.1"
    var port = 8080
    /// Names under which it is reached, beside those of this machine.
    var publicHosts: [String] = []
    /// The territory of phone numbers without a country code.
    var region: String?
    /// Requests a second for each token and address; 0 for any number.
    var requestsPerSecond = 200.0
    /// How many different people make an item public.
    var publicThreshold = 5
    /// How long a person's database stays open unused.
    var idleTime = Duration.seconds(300)
    /// Memory for answers about airports that were given before; 0 keeps none.
    var cacheMegabytes = 16
    /// Certificate and key, both or none.
    var certificate: String?
    var key: String?
    /// The command that delivers reminders of people who have no page open.
    var deliverWith: String?
    var patience = RequestGuard.Timeouts()
    /// A file in which the port stands once the server listens, for who starts it with port 0.
    var portFile: String?

    /// Whether people reach it by HTTPS: browsers then send the cookie by nothing else.
    var isSecure: Bool { certificate != nil || isBehindTLS }
    /// Whether a proxy before it speaks HTTPS.
    var isBehindTLS = false
}
