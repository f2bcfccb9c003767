import SwitchboardAirports
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import SwitchboardAccounts
import SwitchboardSearchableIndex
import SwitchboardStorage
import SwitchboardKit
import Synchronization

/// Everything that answers requests: what all share, the people, and what each of them has.
final class Server: Sendable {
    /// What the database that all share has beside the usual tables.
    static let migrations = Switchboard.migrations + [Accounts.migrations]

    let options: ServerOptions
    /// What all share: airports and the public index.
    let shared: Switchboard
    let people: Accounts
    let databases: PersonDatabases
    let authentication: Authentication
    let events: EventHub
    let publicIndex: PublicIndex
    let snapshots: SnapshotCache
    let answers: AnswerCache
    let hosts: Hosts
    let log: ServerLog
    /// The API described, in OpenAPI.
    let description: (bytes: [UInt8], tag: String)

    /// Opens the database that all share.
    ///
    /// - Throws: `StorageError`, `AccountsError`.
    init(_ options: ServerOptions, logger: Logger) throws {
        self.options = options
        let file = options.data + "/public.sqlite"
        let storage = try Storage(at: file, migrations: Self.migrations)
        people = Accounts(storage: storage)
        shared = Switchboard(Settings(database: file, region: options.region))
        log = ServerLog(logger: logger)
        databases = PersonDatabases(
            folder: options.data, region: options.region, sharing: shared, idleTime: options.idleTime)
        hosts = Hosts(port: options.port, publicHosts: options.publicHosts)
        authentication = Authentication(
            people: people, rates: RateLimiter(perSecond: options.requestsPerSecond), log: log)
        events = EventHub(databases: databases)
        let key = try people.voteKey()
        publicIndex = PublicIndex(storage: storage, threshold: options.publicThreshold) { person, target in
            Accounts.vote(of: person, for: target, key: key)
        }
        snapshots = SnapshotCache()
        answers = AnswerCache(capacity: options.cacheMegabytes << 19)
        let bytes = try OrderedJSON.bytes(OpenAPI.document(of: Self.routes))
        description = (bytes, StaticTag.of(bytes))
    }

    private let readiness = Atomic<Bool>(false)

    /// Whether the first questions are answered as quickly as all others.
    var isReady: Bool { readiness.load(ordering: .relaxed) }

    /// Makes ready what the first questions need: at the very first start the index of the airports is made.
    ///
    /// - Throws: `StorageError`.
    func warmUp() throws {
        try shared.airportSearch.warmUp()
        readiness.store(true, ordering: .relaxed)
    }

    /// All routes, in the order of the description.
    static let routes: [Route] =
        Route.finding + Route.contacts + Route.airports + Route.recentAirports + Route.prospects + Route.me
        + Route.reminders + Route.calendars + Route.items + Route.activities + Route.shared + Route.keypad
        + Route.events
        + Route.session + Route.settings + Route.operation + Route.page

    /// The methods that the router knows, at every address.
    static let methods: [HTTPRequest.Method] = [.get, .post, .put, .patch, .delete, .options, .trace, .head]

    /// What answers requests.
    func responder() -> FrontDoor<RouterResponder<ServerContext>> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        for route in Self.routes {
            router.on(RouterPath(route.path), method: route.method, responder: Endpoint(route: route, server: self))
        }
        let methods = Dictionary(grouping: Self.routes, by: \.path).mapValues { $0.map(\.method) }
        for (path, found) in methods {
            let allowed = found.contains(.get) ? found + [.head] : found
            for method in Self.methods where !allowed.contains(method) {
                router.on(RouterPath(path), method: method, responder: OtherMethod(allowed: allowed))
            }
        }
        return FrontDoor(router: router.buildResponder(), server: self)
    }
}
