import CSwitchboardSystem
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import SwitchboardAccounts
import SwitchboardCluster
import SwitchboardKit
import SwitchboardStorage
import Synchronization
import UnixSignals

#if canImport(Glibc)
    import Glibc
#endif

/// Runs a server until it receives SIGTERM or SIGINT.
///
/// On shutdown it accepts no new connections, gives requests in flight ten seconds to finish, and exits with status 0.
struct ServerProcess: Sendable {
    private let options: ServerOptions
    private let logger: Logger
    private let reloadOptions: @Sendable () async throws -> ServerOptions

    /// - Parameter reloadOptions: Returns the options to apply on SIGHUP.
    init(
        _ options: ServerOptions, reloadOptions: @escaping @Sendable () async throws -> ServerOptions
    ) {
        self.options = options
        self.reloadOptions = reloadOptions
        logger = Logger(label: "switchboard-server") { _ in JSONLogHandler(level: options.logLevel) }
    }

    /// Runs until the server is stopped.
    ///
    /// - Throws: `SwitchboardError` if the server cannot listen, `StorageError`.
    func run() async throws {
        Self.allowManyFiles()
        // Each arena of the allocator holds on to the memory of closed databases.
        sb_limit_arenas(Int32(2 * System.coreCount))
        let server = try Server(options, logger: logger)
        let lock = options.cluster == nil ? try FolderLock(options.data) : nil
        if options.cluster == nil, lock == nil {
            logger.warning(
                "another server uses the same data folder; both deliver reminders and count requests on their own",
                metadata: ["data": "\(options.data)"])
        }
        defer { _ = lock }
        for file in [options.data, server.store.publicFile, options.key].compactMap(\.self)
        where (FileSystem.attributes(of: file)?.st_mode ?? 0) & 0o077 != 0 {
            logger.warning(
                "other users of this machine can read or open the file; use chmod go= on it",
                metadata: ["file": "\(file)"])
        }
        let certificates = try options.certificate.flatMap { certificate in
            try options.key.map { try CertificateStore(certificate: certificate, key: $0) }
        }
        if !options.isLocal, !options.isSecure {
            logger.warning(
                "requests and tokens are not encrypted; use --tls-certificate, or a proxy and --behind-tls",
                metadata: ["host": "\(options.host)"])
        }
        let builder = try builder(certificates)
        NIOThreadPool.singleton.submit { _ in
            do {
                try server.warmUp()
            } catch {
                logger.error("cannot load the airports", metadata: ["reason": "\(SwitchboardError(error).message)"])
            }
        }
        let app = Application(
            responder: ServerResponder(server), server: builder,
            configuration: ApplicationConfiguration(address: .hostname(options.host, port: options.port)),
            onServerRunning: { channel in
                server.isListening.store(true, ordering: .relaxed)
                self.announce(channel, server)
            },
            logger: quiet)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: app), .init(service: HeadWatchService(server: server)),
                .init(service: MaintenanceService(server: server)),
                .init(service: EventStreamShutdownService(server: server)),
                .init(
                    service: ReloadService(
                        server: server, certificates: certificates, options: reloadOptions, logger: logger)),
            ], gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            // Once the server has listened, an error only means that a request exceeded the grace period.
            if !server.isListening.load(ordering: .relaxed) { throw Self.fault(error, options) }
        }
        server.databases.closeAll()
        server.shared.close()
        server.publicItems.close()
        logger.info("stopped")
    }

    /// A logger for libraries that logs errors only.
    private var quiet: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .error)
        return logger
    }

    private func announce(_ channel: any Channel, _ server: Server) {
        let port = channel.localAddress?.port ?? options.port
        server.hosts.allowLocalHosts(port: port)
        let scheme = options.certificate == nil ? "http" : "https"
        logger.info("listening", metadata: ["url": "\(scheme)://\(options.host):\(port)/"])
        if let file = options.portFile {
            try? Data("\(port)\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        }
    }

    private func builder(_ certificates: CertificateStore?) throws -> HTTPServerBuilder {
        guard let certificates else { return HTTPServerBuilder { ConnectionChannel(responder: $0) } }
        let secure = HTTPServerBuilder { SecureChannel(responder: $0) }
        return try certificates.translatingErrors { try .tls(secure, tlsConfiguration: certificates.configuration) }
    }

    private static func fault(_ error: any Error, _ options: ServerOptions) -> any Error {
        if let error = error as? IOError {
            // Safe: strerror returns a text that this thread keeps until its next call.
            let reason = unsafe String(cString: strerror(error.errnoCode))
            return SwitchboardError(
                code: "cannotListen", message: "cannot listen on \(options.host):\(options.port): \(reason)",
                status: .unavailable)
        }
        return error
    }

    /// Raises the limit on open files. Each database needs several, each connection one.
    private static func allowManyFiles() {
        var limit = rlimit()
        // Safe: the system calls write to a local variable and read it.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else {
            return
        }
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Closes idle databases, keeps event streams alive, and delivers reminders.
private struct MaintenanceService: Service {
    /// The number of closed databases whose memory, about 20 MB, is worth returning to the system.
    private static let manyDatabases = 32

    let server: Server

    func run() async throws {
        await cancelWhenGracefulShutdown {
            _ = try? await WorkLane.background.run { await maintain() }
        }
    }

    private func maintain() async {
        await withDiscardingTaskGroup { group in
            await maintain(&group)
            group.cancelAll()
        }
    }

    private func maintain(_ deliveries: inout DiscardingTaskGroup) async {
        let deliveryJob = ReminderDeliveryJob(server: server, command: server.options.deliverWith)
        var (turn, closedDatabases) = (0, 0)
        var missingFiles = server.logMissingFiles(except: [])
        var accountGeneration = try? server.accounts.generation()
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(2))
            turn += 1
            if turn.isMultiple(of: 7) { server.events.keepAlive() }
            // Another process may have revoked a token; a token may have expired.
            let generation = try? server.accounts.generation()
            if let generation, generation != accountGeneration || turn.isMultiple(of: 7) {
                server.events.endInvalidStreams()
                accountGeneration = generation
            }
            closedDatabases += server.databases.closeIdle()
            // Every minute, because it delays other allocations.
            if turn.isMultiple(of: 30), closedDatabases >= Self.manyDatabases {
                sb_return_free_memory()
                closedDatabases = 0
            }
            // Every half minute.
            if turn.isMultiple(of: 15) { missingFiles = server.logMissingFiles(except: missingFiles) }
            // Every hour.
            if turn.isMultiple(of: 1_800), let cluster = server.store.cluster {
                try? cluster.database.removeOldTransactions()
                try? cluster.requests.removeOld()
            }
            deliveryJob.run(in: &deliveries)
        }
    }
}

/// Watches for changes by other servers.
private struct HeadWatchService: Service {
    let server: Server

    func run() async throws {
        guard let heads = server.heads else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown { await heads.run() }
    }
}

/// Applies a changed certificate and changed options on SIGHUP.
private struct ReloadService: Service {
    let server: Server
    let certificates: CertificateStore?
    let options: @Sendable () async throws -> ServerOptions
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do {
                let options = try await options()
                if let certificate = options.certificate, let key = options.key {
                    try certificates?.load(certificate: certificate, key: key)
                }
                let ignored = server.options.differencesNeedingRestart(from: options)
                if !ignored.isEmpty {
                    logger.warning(
                        "changed options that need a restart",
                        metadata: ["options": "\(ignored.joined(separator: ", "))"])
                }
                server.hosts.setPublicHosts(options.publicHosts)
                server.origins.set(options.allowedOrigins)
                server.rates.setRate(perSecond: options.requestsPerSecond)
                logger.info("reloaded")
            } catch {
                // Keep the current certificate and options.
                logger.error("cannot reload", metadata: ["reason": "\(SwitchboardError(error).message)"])
            }
        }
    }
}

/// Ends the event streams on graceful shutdown; otherwise they would never finish.
private struct EventStreamShutdownService: Service {
    let server: Server

    func run() async throws {
        try await gracefulShutdown()
        server.events.end()
    }
}
