import ArgumentParser
import Foundation
import SwitchboardKit

/// Answers requests until it is stopped.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Answer requests until stopped (the default).",
        discussion: """
            Each option may also stand in the environment, as SWITCHBOARD_SERVER_PORT, or in a JSON file that --config names, as \
            {"port": 8080}; the command line goes first, then the environment.
            """)

    @Option(parsing: .unconditional, help: "The address to listen on; 127.0.0.1 unless given.") var host: String?
    @Option(parsing: .unconditional, help: "The port to listen on; 8080 unless given, 0 for any.") var port: Int?
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A name under which it is reached, beside those of this machine; may be repeated.", valueName: "name"))
    var publicHost: [String] = []
    @Option(parsing: .unconditional, help: "The territory of phone numbers without a country code, such as TR.")
    var region: String?
    @Option(
        parsing: .unconditional,
        help:
            "Requests a second for each token and address, ten times as many at once; 200 unless given, 0 for any number."
    )
    var requestsPerSecond: Double?
    @Option(parsing: .unconditional, help: "How many different people make an item public; 5 unless given.")
    var publicThreshold: Int?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "After how long a person's database is closed when nothing is asked of it; 300 unless given.",
            valueName: "seconds"))
    var idleSeconds: Int?
    @Option(
        parsing: .unconditional,
        help: "Megabytes for answers about airports that were given before; 16 unless given, 0 keeps none.")
    var cacheMegabytes: Int?
    @Option(parsing: .unconditional, help: ArgumentHelp("A certificate chain (PEM), for HTTPS.", valueName: "file"))
    var tlsCertificate: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The key of the certificate (PEM).", valueName: "file"))
    var tlsKey: String?
    @Flag(help: "A proxy before this server speaks HTTPS: cookies are sent by nothing else.") var behindTLS = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A command that delivers reminders, as 'switchboard reminders run --deliver-with' has it.",
            valueName: "command"))
    var deliverWith: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Write the port here once the server listens.", valueName: "file"))
    var portFile: String?
    @Option(help: "What is logged: debug, info, warning or error; info unless given.") var logLevel: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("A JSON file with these options.", valueName: "file"))
    var config: String?
    @OptionGroup var data: DataOption

    func run() async throws {
        let (options, level) = try await settled()
        try await ServerProcess(options, logLevel: level).run()
    }
}
