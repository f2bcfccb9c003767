import Configuration
import Foundation
import Logging
import SwitchboardKit
import SystemPackage

extension ServeCommand {
    /// What command line, environment and file say together.
    ///
    /// - Throws: a `Fault` for what cannot be.
    func settled() async throws -> (options: ServerOptions, logLevel: Logger.Level) {
        let reader = try await reader()
        func text(_ flag: String?, _ key: ConfigKey) -> String? { flag ?? reader.string(forKey: key) }

        var options = ServerOptions(data: try text(data.data, "data") ?? data.folder())
        options.host = text(host, "host") ?? options.host
        options.port = try port ?? number(text(nil, "port"), "port") ?? options.port
        guard (0...65_535).contains(options.port) else {
            throw Fault.usage("port \(options.port): give a number from 0 to 65535")
        }
        let hosts = text(nil, "publicHost")?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        options.publicHosts = publicHost.isEmpty ? hosts ?? [] : publicHost
        options.region = try (text(region, "region") ?? ProcessInfo.processInfo.environment["SWITCHBOARD_REGION"])
            .map { try ProcessEnvironment.region($0, from: "region") }
        options.requestsPerSecond =
            try requestsPerSecond ?? text(nil, "requestsPerSecond").map { text in
                guard let number = Double(text) else { throw Fault.usage("requestsPerSecond “\(text)” is no number") }
                return number
            } ?? options.requestsPerSecond
        guard options.requestsPerSecond.isFinite, options.requestsPerSecond >= 0 else {
            throw Fault.usage("requests-per-second: give 0 or more")
        }
        options.publicThreshold =
            try publicThreshold ?? number(text(nil, "publicThreshold"), "publicThreshold") ?? options.publicThreshold
        guard options.publicThreshold >= 1 else { throw Fault.usage("public-threshold: give 1 or more") }
        let idle = try idleSeconds ?? number(text(nil, "idleSeconds"), "idleSeconds") ?? 300
        guard (0...86_400).contains(idle) else { throw Fault.usage("idle-seconds: give 0 to 86400") }
        options.idleTime = .seconds(idle)
        options.cacheMegabytes =
            try cacheMegabytes ?? number(text(nil, "cacheMegabytes"), "cacheMegabytes") ?? options.cacheMegabytes
        guard (0...4096).contains(options.cacheMegabytes) else { throw Fault.usage("cache-megabytes: give 0 to 4096") }
        options.certificate = text(tlsCertificate, "tlsCertificate")
        options.key = text(tlsKey, "tlsKey")
        guard (options.certificate == nil) == (options.key == nil) else {
            throw Fault.usage("HTTPS needs both --tls-certificate and --tls-key")
        }
        options.isBehindTLS = behindTLS || text(nil, "behindTLS") == "true"
        options.deliverWith = text(deliverWith, "deliverWith")
        options.portFile = portFile
        let word = text(logLevel, "logLevel") ?? "info"
        guard let level = Logger.Level(rawValue: word) else {
            throw Fault.usage("log-level: there is no “\(word)”; give debug, info, warning or error")
        }
        return (options, level)
    }

    private func number(_ text: String?, _ name: String) throws -> Int? {
        guard let text else { return nil }
        guard let number = Int(text) else { throw Fault.usage("\(name) “\(text)” is no whole number") }
        return number
    }

    private func reader() async throws -> ConfigReader {
        var variables: [String: String] = [:]
        for (name, value) in ProcessInfo.processInfo.environment where name.hasPrefix("SWITCHBOARD_SERVER_") {
            variables[String(name.dropFirst("SWITCHBOARD_SERVER_".count))] = value
        }
        var providers: [any ConfigProvider] = [EnvironmentVariablesProvider(environmentVariables: variables)]
        if let config {
            guard FileManager.default.fileExists(atPath: config) else {
                throw Fault(code: "missing", message: "there is no file \(config)", file: config, status: .missing)
            }
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(config)))
            } catch {
                throw Fault(
                    code: "malformedInput", message: "this is no JSON object of options", file: config,
                    status: .malformed)
            }
        }
        return ConfigReader(providers: providers)
    }
}
