import HTTPTypes
import Hummingbird
import Synchronization

/// Limits the address and the header fields of a request, and checks its host.
struct LimitsMiddleware: ServerMiddleware {
    private static let maximumAddressLength = 8 << 10
    private static let maximumHeaderSize = 16 << 10

    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if request.head.path?.utf8.count ?? 0 > Self.maximumAddressLength {
            throw Problem(
                status: .uriTooLong, code: "addressTooLong",
                detail: "the address is longer than \(Self.maximumAddressLength) bytes", fields: [.connection: "close"])
        }
        let size = request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        if size > Self.maximumHeaderSize {
            throw Problem(
                status: .requestHeaderFieldsTooLarge, code: "headersTooLarge",
                detail: "the header fields are larger than \(Self.maximumHeaderSize) bytes",
                fields: [.connection: "close"])
        }
        guard hosts.allows(request.head.authority) else {
            throw Problem(
                status: .misdirectedRequest, code: "wrongHost",
                detail: "unknown host; the operator can add it to the server's public hosts")
        }
        return try await next(request, context)
    }
}

/// The host names that this server responds to.
///
/// Checking the host of each request defends against DNS rebinding, where an attacker's page points its own host name
/// at this machine.
final class AllowedHosts: Sendable {
    private let names: Mutex<Set<String>>
    /// Names that are allowed with any port, because a proxy may be in front of the server.
    private let publicNames: Set<String>

    /// - Parameter publicHosts: Names besides the loopback names, with or without a port.
    init(publicHosts: [String]) {
        let hosts = Set(publicHosts.map { $0.lowercased() })
        publicNames = hosts.filter { Self.bare($0) == $0 }
        names = Mutex(hosts.subtracting(publicNames))
    }

    /// Allows the loopback names with the port that the server listens on.
    func allowLocalHosts(port: Int) {
        let local = ["127.0.0.1", "localhost", "[::1]"]
        names.withLock {
            $0.formUnion(local.map { "\($0):\(port)" })
            if port == 80 || port == 443 { $0.formUnion(local) }
        }
    }

    /// Returns whether requests for a host (`name:port`) are allowed.
    func allows(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return names.withLock({ $0.contains(host) }) || publicNames.contains(Self.bare(host))
    }

    /// Returns a host without its port.
    private static func bare(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber),
            !host.hasPrefix("[") || host[..<colon].hasSuffix("]")
        else { return host }
        return String(host[..<colon])
    }
}
