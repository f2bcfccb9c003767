import Foundation
import Logging
import SwitchboardAccounts
import SwitchboardAirports
import SwitchboardJSON
import SwitchboardKit
import SwitchboardSearchableIndex
import SwitchboardStorage
import Synchronization

/// The shared state behind all routes: the shared database, the accounts and the databases of people.
final class Server: Sendable {
    /// The migrations of the shared database.
    static let migrations = Switchboard.migrations + [Accounts.migrations]

    let options: ServerOptions
    let store: DataStore
    /// The instance that searches the airports.
    let shared: Switchboard
    /// The instance that searches the public items.
    let publicItems: Switchboard
    /// The watch for changes by other servers; nil without a cluster.
    let heads: HeadWatch?
    let accounts: Accounts
    let databases: PersonDatabases
    let rates: RateLimiter
    let events: EventHub
    let publicIndex: PublicIndex
    let push: PushSender
    /// The queue of picture scans, which take a lot of processor time and memory. A waiting scan keeps its picture in
    /// memory.
    let scans = Turns(limit: 2, maximumWaiting: 16, maximumWaitingOfPerson: 3)
    let snapshots = SnapshotCache()
    let responseCache: ResponseCache
    let idempotencyKeys = IdempotencyKeys()
    let hosts: AllowedHosts
    let origins: AllowedOrigins
    let log: ServerLog
    /// The OpenAPI document and its entity tag.
    let description: (bytes: [UInt8], tag: String)

    /// Opens the shared database.
    init(_ options: ServerOptions, logger: Logger) throws {
        self.options = options
        store = try DataStore(folder: options.data, cluster: options.cluster, wait: options.clusterWait)
        let storage = try store.publicStorage()
        accounts = try store.accounts(storage)
        shared = Switchboard(Settings(database: store.airportFile, region: options.region))
        publicItems = store.cluster == nil ? shared : store.publicSwitchboard(options.region)
        heads = store.cluster.map { HeadWatch($0.journals) }
        log = ServerLog(logger: logger)
        databases = PersonDatabases(options, store, sharing: shared)
        hosts = AllowedHosts(publicHosts: options.publicHosts)
        origins = AllowedOrigins(options.allowedOrigins)
        rates = RateLimiter(perSecond: options.requestsPerSecond)
        events = EventHub(databases: databases, heads: heads)
        let key = try accounts.voteKey()
        publicIndex = store.publicIndex(storage, threshold: options.publicThreshold) { person, target in
            Accounts.vote(of: person, for: target, key: key)
        }
        push = PushSender(accounts: accounts, key: try accounts.pushKey(), log: log, options)
        responseCache = ResponseCache(capacity: options.cacheMegabytes << 19)
        let bytes = try OrderedJSON.bytes(try OpenAPI.document(of: Self.routes))
        description = (bytes, EntityTag.of(bytes))
    }

    let startedAt = Date()
    /// `true` once the server has started listening.
    let isListening = Atomic<Bool>(false)
    private let readiness = Atomic<Bool>(false)

    /// `true` once the airport index is loaded.
    var isReady: Bool { readiness.load(ordering: .relaxed) }

    /// Loads the airport index. The index of a loaded popular list is built on the first start.
    func warmUp() throws {
        try shared.airportSearch.warmUp()
        readiness.store(true, ordering: .relaxed)
    }

    /// Logs the missing databases that are not in a set, and returns all missing databases.
    func logMissingFiles(except known: Set<String>) -> Set<String> {
        guard let missing = try? store.missingFiles(accounts) else { return known }
        for path in missing where !known.contains(path) {
            log.logger.error("data missing", metadata: ["reason": .string(MissingDatabase(path: path).message)])
        }
        return Set(missing)
    }

    /// All routes, in the order of the OpenAPI document.
    static let routes: [Route] =
        Route.finding + Route.contacts + Route.airports + Route.recentAirports + Route.prospects + Route.me
        + Route.reminders + Route.calendars + Route.push + Route.items + Route.activities + Route.choices + Route.shared
        + Route.keypad + Route.events + Route.session + Route.settings + Route.operation + Route.page
}

// MARK: - Budgets and metrics

/// What a person uses of a budget: `{"what", "used", "budget"}`.
struct Usage: Encodable, Sendable {
    let what: String
    let used: Int
    let budget: Int
}

extension Server {
    /// Checks that a person's database may grow.
    ///
    /// - Throws: A ``Problem`` with status 507.
    func requireRoom(for person: Person) throws(Problem) {
        guard store.bytes(of: person.id) >= options.personMegabytes * 1_000_000 else { return }
        throw .overBudget(options.personMegabytes)
    }

    /// Returns what a person uses of each budget.
    func usage(of person: Person) throws -> [Usage] {
        [
            Usage(what: "megabytes", used: store.bytes(of: person.id) / 1_000_000, budget: options.personMegabytes),
            Usage(
                what: "sessions", used: try accounts.sessions(of: person.id).count, budget: Accounts.maximumSessions),
            Usage(what: "tokens", used: try accounts.tokens(of: person.id).count, budget: Accounts.maximumTokens),
            Usage(
                what: "pushSubscriptions", used: try accounts.pushReceivers()[person.id]?.count ?? 0,
                budget: Accounts.maximumReceivers),
            Usage(what: "eventStreams", used: events.streamCount(of: person.id), budget: EventHub.maximumStreams),
        ]
    }

    /// The current values for operators.
    var gauges: [Metrics.Gauge] {
        var gauges: [Metrics.Gauge] = [
            ("switchboard_build_info", "The version.", "version=\"\(Switchboard.version)\"", 1),
            ("process_start_time_seconds", "The start in seconds since 1970.", "", startedAt.timeIntervalSince1970),
            ("switchboard_open_databases", "Open databases.", "", Double(databases.openCount)),
            ("switchboard_event_streams", "Open event streams.", "", Double(events.streamCount)),
            ("switchboard_disk_free_bytes", "Free space on the disk of the data folder.", "", Double(store.freeBytes)),
            ("switchboard_data_bytes", "The size of all databases.", "", Double(store.bytes)),
        ]
        for (name, lane) in WorkLane.all {
            gauges.append(
                (
                    "switchboard_waiting_tasks", "Tasks that wait for a thread.", "lane=\"\(name)\"",
                    Double(lane.waitingCount)
                ))
        }
        return gauges
    }
}

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
    /// The maximum size of a person's database.
    var personMegabytes = 4_096
    /// The number of open databases above which the one used longest ago is closed.
    var openDatabases = 350
    /// The time after which an unused database is closed, in seconds.
    var idleSeconds = 60
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
    var logLevel = Logger.Level.info

    static let defaultClusterWait = Duration.seconds(15)

    /// Returns the names of the options that differ from others and are only read at the start.
    func differencesNeedingRestart(from other: ServerOptions) -> [String] {
        func differs<Value: Equatable>(_ name: String, _ path: KeyPath<ServerOptions, Value>) -> String? {
            self[keyPath: path] == other[keyPath: path] ? nil : name
        }
        return [
            differs("data", \.data), differs("host", \.host), differs("port", \.port), differs("region", \.region),
            differs("trustedProxy", \.trustedProxies), differs("forwardedHeader", \.forwardedHeader),
            differs("publicThreshold", \.publicThreshold), differs("personMegabytes", \.personMegabytes),
            differs("openDatabases", \.openDatabases), differs("idleSeconds", \.idleSeconds),
            differs("cacheMegabytes", \.cacheMegabytes), differs("behindTLS", \.isBehindTLS),
            differs("pushService", \.pushServices), differs("deliverWith", \.deliverWith),
            differs("cluster", \.cluster), differs("clusterWait", \.clusterWait),
            differs("tlsCertificate", \.isUsingTLS), differs("logLevel", \.logLevel),
        ].compactMap(\.self)
    }

    /// `true` if the server has a certificate of its own.
    private var isUsingTLS: Bool { certificate != nil }

    /// `true` if clients use HTTPS; cookies are then marked `Secure`.
    var isSecure: Bool { certificate != nil || isBehindTLS }
    /// `true` if a reverse proxy terminates TLS.
    var isBehindTLS = false
    /// `true` if requests come through a reverse proxy, in which case none counts as local.
    var isBehindProxy: Bool { isBehindTLS || !trustedProxies.isEmpty || !publicHosts.isEmpty }
    /// `true` if the server listens on this machine's loopback address only.
    var isLocal: Bool { ["localhost", "::1"].contains(host) || host.hasPrefix("127.") }
}
