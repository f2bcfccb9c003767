import Hummingbird
import HummingbirdCore
import Logging

// The minimal server of the same library: the baseline for `switchboard-server` (Scripts/server-benchmark).
let router = Router()
router.get("/") { _, _ in "hello" }
var logger = Logger(label: "hello")
logger.logLevel = .error
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8081
let app = Application(
    router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)), logger: logger
)
try await app.runService()
