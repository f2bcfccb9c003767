import ArgumentParser
import Configuration
import Foundation
import Logging
import SwitchboardJSON
import SwitchboardKit

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
    @Option("The maximum size of a person's database (default: 4096).") var personMegabytes: Int?
    @Option("The number of open databases of people, above which the one used longest ago is closed (default: 350).")
    var openDatabases: Int?
    @Option("The time after which an unused database is closed (default: 60).", "seconds") var idleSeconds: Int?
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
        let (options, command) = (try await resolvedOptions(), self)
        try await ServerProcess(options) { try await command.resolvedOptions() }.run()
    }
}

extension ServeCommand {
    /// Returns the combined options of the command line, the environment and the configuration file.
    private func resolvedOptions() async throws -> ServerOptions {
        let reader = try await reader()
        func text(_ flag: String?, _ key: ConfigKey) -> String? { flag ?? reader.string(forKey: key) }
        func number(_ key: String) throws -> Int? {
            guard let text = text(nil, ConfigKey(key)) else { return nil }
            guard let number = Int(text) else {
                throw SwitchboardError.usage("\(key): cannot read “\(text)”; use a whole number")
            }
            return number
        }

        var options = ServerOptions(data: try text(data.data, "data") ?? data.folder())
        options.host = text(host, "host") ?? options.host
        options.port = try port ?? number("port") ?? options.port
        guard (0...65_535).contains(options.port) else {
            throw SwitchboardError.usage("port: \(options.port) is out of range; use 0 to 65535")
        }
        func list(_ flags: [String], _ key: ConfigKey) -> [String] {
            guard flags.isEmpty else { return flags }
            return (text(nil, key) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        options.publicHosts = list(publicHost, "publicHost")
        func origins(_ flags: [String], _ key: ConfigKey, _ option: String) throws -> [Origin] {
            try list(flags, key).map { text in
                guard let origin = Origin(text) else {
                    throw SwitchboardError.usage(
                        "\(option): cannot read “\(text)”; use a scheme and a host such as https://www.example.org")
                }
                return origin
            }
        }
        options.allowedOrigins = try origins(allowOrigin, "allowOrigin", "allow-origin")
        options.pushServices = try origins(pushService, "pushService", "push-service")
        options.trustedProxies = try list(trustedProxy, "trustedProxy").map { text in
            guard let range = AddressRange(text) else {
                throw SwitchboardError.usage(
                    "trusted-proxy: cannot read “\(text)”; use an address or a network such as 10.0.0.0/8")
            }
            return range
        }
        if let name = text(forwardedHeader, "forwardedHeader") {
            guard let header = ForwardedHeader(name) else {
                let known = ForwardedHeader.allCases.map(\.rawValue).joined(separator: ", ")
                throw SwitchboardError.usage("forwarded-header: unknown header “\(name)”; use one of \(known)")
            }
            options.forwardedHeader = header
        }
        options.region = try (text(region, "region") ?? ProcessInfo.processInfo.environment["SWITCHBOARD_REGION"])
            .map { try ProcessEnvironment.region($0, from: "region") }
        options.requestsPerSecond =
            try requestsPerSecond ?? text(nil, "requestsPerSecond").map { text in
                guard let number = Double(text) else {
                    throw SwitchboardError.usage("requests-per-second: cannot read “\(text)”; use a number")
                }
                return number
            } ?? options.requestsPerSecond
        try check("requests-per-second", options.requestsPerSecond, in: 0...(.greatestFiniteMagnitude), "0 or more")
        options.publicThreshold = try publicThreshold ?? number("publicThreshold") ?? options.publicThreshold
        try check("public-threshold", options.publicThreshold, in: 1...(.max), "1 or more")
        options.personMegabytes = try personMegabytes ?? number("personMegabytes") ?? options.personMegabytes
        try check("person-megabytes", options.personMegabytes, in: 1...1_000_000_000, "1 or more")
        options.openDatabases = try openDatabases ?? number("openDatabases") ?? options.openDatabases
        try check("open-databases", options.openDatabases, in: 1...100_000, "1 to 100000")
        options.idleSeconds = try idleSeconds ?? number("idleSeconds") ?? options.idleSeconds
        try check("idle-seconds", options.idleSeconds, in: 0...86_400, "0 to 86400")
        options.cacheMegabytes = try cacheMegabytes ?? number("cacheMegabytes") ?? options.cacheMegabytes
        try check("cache-megabytes", options.cacheMegabytes, in: 0...4096, "0 to 4096")
        options.certificate = text(tlsCertificate, "tlsCertificate")
        options.key = text(tlsKey, "tlsKey")
        guard (options.certificate == nil) == (options.key == nil) else {
            throw SwitchboardError.usage("incomplete TLS options; use both --tls-certificate and --tls-key")
        }
        options.isBehindTLS = try behindTLS || flag("behindTLS", text(nil, "behindTLS"))
        options.deliverWith = text(deliverWith, "deliverWith")
        options.cluster = text(data.cluster, "cluster").flatMap { $0.isEmpty ? nil : $0 }
        options.clusterWait = try DataOption.clusterWait(data.clusterWait ?? number("clusterWait"))
        options.portFile = portFile
        let word = text(logLevel, "logLevel") ?? "info"
        guard let level = Logger.Level(rawValue: word) else {
            throw SwitchboardError.usage("log-level: unknown level “\(word)”; use debug, info, warning or error")
        }
        options.logLevel = level
        return options
    }

    private func flag(_ option: String, _ text: String?) throws -> Bool {
        switch text?.lowercased() {
        case nil, "false", "0", "no": return false
        case "true", "1", "yes": return true
        default: throw SwitchboardError.usage("\(option): cannot read “\(text ?? "")”; use true or false")
        }
    }

    private func check<Number>(
        _ option: String, _ number: Number, in range: ClosedRange<Number>, _ remedy: String
    ) throws {
        if !range.contains(number) { throw SwitchboardError.usage("\(option): out of range; use \(remedy)") }
    }

    private func reader() async throws -> ConfigReader {
        var variables: [String: String] = [:]
        for (name, value) in ProcessInfo.processInfo.environment where name.hasPrefix("SWITCHBOARD_SERVER_") {
            variables[String(name.dropFirst("SWITCHBOARD_SERVER_".count))] = value
        }
        var providers: [any ConfigProvider] = [EnvironmentVariablesProvider(environmentVariables: variables)]
        if let config {
            guard FileManager.default.fileExists(atPath: config) else {
                throw SwitchboardError(
                    code: "missing", message: "\(config) does not exist", file: config, status: .missing)
            }
            providers.append(InMemoryProvider(values: try Self.values(of: config)))
        }
        return ConfigReader(providers: providers)
    }

    /// The options that a configuration file may contain.
    private static let keys: Set<String> = [
        "data", "host", "port", "publicHost", "allowOrigin", "trustedProxy", "forwardedHeader", "region",
        "requestsPerSecond", "publicThreshold", "personMegabytes", "pushService", "openDatabases", "idleSeconds",
        "cacheMegabytes",
        "tlsCertificate",
        "tlsKey", "behindTLS", "deliverWith", "logLevel", "cluster",
        "clusterWait",
    ]

    /// Returns the values of a configuration file as text.
    ///
    /// - Throws: `SwitchboardError` if the file is not a JSON object, or has an unknown option or an unsuitable value.
    private static func values(of file: String) throws -> [AbsoluteConfigKey: ConfigValue] {
        func malformed(_ message: String) -> SwitchboardError {
            SwitchboardError(code: "malformedInput", message: message, file: file, status: .malformed)
        }
        guard let data = FileManager.default.contents(atPath: file),
            case .object(let members)? = try? JSONParser.value(of: [UInt8](data))
        else { throw malformed("cannot read the configuration; use a JSON object of options") }
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for member in members {
            let (name, value) = (member.name, member.value)
            guard keys.contains(name) else {
                throw malformed("unknown option “\(name)”; use \(keys.sorted().joined(separator: ", "))")
            }
            guard let text = text(of: value) else {
                throw malformed("\(name): use a string, a number, true, false, or a list of strings")
            }
            values[AbsoluteConfigKey([name])] = ConfigValue(.string(text), isSecret: false)
        }
        return values
    }

    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .string(let text): return text
        case .bool(let flag): return String(flag)
        case .number(let number): return Int(exactly: number).map(String.init) ?? String(number)
        case .array(let elements):
            let texts = elements.compactMap(\.value.string)
            return texts.count == elements.count ? texts.joined(separator: ",") : nil
        default: return nil
        }
    }
}
