import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// The minimal server of the same library: the baseline for `switchboard-server` (Scripts/bench server). A second path
/// responds with as much as ten airports, and from another thread, as anything that searches must: no search, however fast,
/// is answered sooner.
func serveBaseline(_ arguments: [String]) async throws {
    let threads = NIOThreadPool(numberOfThreads: System.coreCount)
    threads.start()
    let rows = ByteBuffer(repeating: UInt8(ascii: "x"), count: 6_000)
    let router = Router()
    router.get("/") { _, _ in "hello" }
    router.get("/rows") { _, _ in
        try await threads.runIfActive { Response(status: .ok, body: ResponseBody(byteBuffer: rows)) }
    }
    var logger = Logger(label: "hello")
    logger.logLevel = .error
    let port = arguments.first.flatMap { Int($0) } ?? 8081
    let app = Application(
        router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
        logger: logger
    )
    try await app.runService()
}
