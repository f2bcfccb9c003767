import ArgumentParser

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server.",
        discussion: """
            Options can also be set in the environment, such as SWITCHBOARD_SERVER_PORT=8080, or in the JSON file of \
            --config, such as {"port": 8080}. The command line takes precedence, then the environment.

            On SIGHUP, the server reads the certificate and the configuration again, and applies the public hosts, \
            the allowed origins and the rate of requests.
            """)

    @Option("The address to listen on (default: 127.0.0.1).") var host: String?
    @Option("The port to listen on; 0 chooses a free one (default: 8080).") var port: Int?
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A public host name besides the loopback names; repeatable.", valueName: "name"))
    var publicHost: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A site whose pages may search airports, such as https://www.example.org; repeatable.", valueName: "origin")
    )
    var allowOrigin: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A reverse proxy, besides one on this machine, whose forwarded addresses are trusted; repeatable.",
            valueName: "cidr"))
    var trustedProxy: [String] = []
    @Option(
        """
        The header in which the proxy forwards the address of its client: X-Forwarded-For, Forwarded or X-Real-IP \
        (default: X-Forwarded-For).
        """, "name")
    var forwardedHeader: String?
    @Option("The territory of phone numbers without a country code, such as TR.") var region: String?
    @Option(
        """
        Requests per second for each token and address, with bursts of ten times as many; 0 for no limit (default: 200).
        """)
    var requestsPerSecond: Double?
    @Option("The number of people who must engage with an item before it becomes public (default: 5).")
    var publicThreshold: Int?
    @Option("The time after which an unused database is closed (default: 300).", "seconds") var idleSeconds: Int?
    @Option("The size of the cache of airport responses; 0 disables it (default: 16).") var cacheMegabytes: Int?
    @Option("The TLS certificate chain (PEM).", "file") var tlsCertificate: String?
    @Option("The private key of the certificate (PEM).", "file") var tlsKey: String?
    @Flag(help: "A reverse proxy terminates TLS: mark cookies as secure.") var behindTLS = false
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A push service in the local network, such as https://push.example.org; repeatable. Public ones need no option.",
            valueName: "origin"))
    var pushService: [String] = []
    @Option("The command that delivers reminders, as in 'switchboard reminders run --deliver-with'.", "command")
    var deliverWith: String?
    @Option("The file to write the port to once the server listens.", "file") var portFile: String?
    @Option(help: "The log level: debug, info, warning or error (default: info).") var logLevel: String?
    @Option("A JSON file with options.", "file") var config: String?
    @OptionGroup var data: DataOption

    func run() async throws {
        let (options, level) = try await resolvedOptions()
        let command = self
        try await ServerProcess(options, logLevel: level) { try await command.resolvedOptions().options }.run()
    }
}
