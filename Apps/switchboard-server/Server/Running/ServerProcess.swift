import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import SwitchboardAccounts
import SwitchboardReminders
import ServiceLifecycle
import SwitchboardStorage
import SwitchboardKit
import Synchronization
import UnixSignals

#if canImport(Glibc)
    import Glibc
#endif

/// A server from its start to its end: listens, answers, looks after what is idle, and stops when it is told to.
///
/// SIGTERM and SIGINT: no new connections, requests in flight have ten seconds to finish, then the process ends with 0.
struct ServerProcess: Sendable {
    private let options: ServerOptions
    private let logger: Logger

    init(_ options: ServerOptions, logLevel: Logger.Level) {
        self.options = options
        logger = Logger(label: "switchboard-server") { _ in JSONLogHandler(level: logLevel) }
    }

    /// WordSuffixes until it is stopped.
    ///
    /// - Throws: a `Fault` if it cannot listen, `StorageError`.
    func run() async throws {
        Self.allowManyFiles()
        // Threads that may wait: an import or two must not keep everybody else from their contacts.
        NIOSingletons.blockingPoolThreadCountSuggestion = 16
        let server = try Server(options, logger: logger)
        let builder = try builder()
        NIOThreadPool.singleton.submit { _ in
            do {
                try server.warmUp()
            } catch {
                logger.error("the airports cannot be read", metadata: ["reason": "\(Fault(error).message)"])
            }
        }
        let readiness = Readiness()
        let app = Application(
            responder: server.responder(), server: builder,
            configuration: ApplicationConfiguration(address: .hostname(options.host, port: options.port)),
            onServerRunning: { channel in
                readiness.isReached.store(true, ordering: .relaxed)
                self.announce(channel, server)
            },
            logger: quiet)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: app), .init(service: Housekeeping(server: server)),
                .init(service: EventEnd(server: server)),
            ], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            // After it has listened, what ends it is being told to; who did not finish in time is cut off.
            if !readiness.isReached.load(ordering: .relaxed) { throw Self.fault(error, options) }
        }
        server.databases.closeAll()
        server.shared.close()
        logger.info("stopped")
    }

    /// The libraries' own messages are of interest only when something is wrong.
    private var quiet: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .error)
        return logger
    }

    private func announce(_ channel: any Channel, _ server: Server) {
        let port = channel.localAddress?.port ?? options.port
        server.hosts.listens(on: port)
        let scheme = options.certificate == nil ? "http" : "https"
        logger.info("listening", metadata: ["url": "\(scheme)://\(options.host):\(port)/"])
        if let file = options.portFile {
            try? Data("\(port)\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        }
    }

    private func builder() throws -> HTTPServerBuilder {
        let plain = HTTPServerBuilder.guarded(patience: options.patience)
        guard let certificate = options.certificate, let key = options.key else { return plain }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            return try .tls(plain, tlsConfiguration: configuration)
        } catch {
            throw Fault(
                code: "badCertificate", message: "certificate \(certificate) and key \(key) cannot be used: \(error)",
                status: .malformed)
        }
    }

    private static func fault(_ error: any Error, _ options: ServerOptions) -> any Error {
        if let error = error as? IOError {
            let reason = String(cString: strerror(error.errnoCode))
            return Fault(
                code: "cannotListen", message: "cannot listen on \(options.host):\(options.port): \(reason)",
                status: .unavailable)
        }
        return error
    }

    /// Each open database is some files, and each connection one: as many as the system lets us have.
    private static func allowManyFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else {
            return
        }
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Closes databases that nobody uses, and delivers reminders by a command where there is one.
private struct Housekeeping: Service {
    let server: Server

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rounds = server.options.deliverWith.map { ReminderRounds(server: server, command: $0) }
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(2))
                server.databases.closeIdle()
                await rounds?.run()
            }
        }
    }
}

/// Ends the streams of events when the server is told to stop: they would never end by themselves.
private struct EventEnd: Service {
    let server: Server

    func run() async throws {
        try await gracefulShutdown()
        server.events.end()
    }
}

/// Whether the server has ever listened.
private final class Readiness: Sendable {
    let isReached = Atomic<Bool>(false)
}
