import Synchronization

/// The host names that this server responds to.
///
/// Checking the host of each request defends against DNS rebinding, where an attacker's page points its own host name
/// at this machine.
final class AllowedHosts: Sendable {
    private let names: Mutex<Set<String>>
    /// Names that are allowed with any port, because a proxy may be in front of the server.
    private let publicNames: Set<String>

    /// - Parameters:
    ///   - port: The port that the server listens on.
    ///   - publicHosts: Names besides the loopback names, with or without a port.
    init(port: Int, publicHosts: [String]) {
        names = Mutex(Self.local(port: port).union(publicHosts.filter { Self.bare($0) != $0 }.map { $0.lowercased() }))
        publicNames = Set(publicHosts.filter { Self.bare($0) == $0 }.map { $0.lowercased() })
    }

    private static func local(port: Int) -> Set<String> {
        var names: Set<String> = []
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            names.insert("\(host):\(port)")
            if port == 80 || port == 443 { names.insert(host) }
        }
        return names
    }

    /// Allows the loopback names with the port that the system has chosen.
    func allowLocalHosts(port: Int) { names.withLock { $0.formUnion(Self.local(port: port)) } }

    /// Returns whether requests for a host (`name:port`) are allowed.
    func allows(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return names.withLock({ $0.contains(host) }) || publicNames.contains(Self.bare(host))
    }

    /// Returns a host without its port.
    static func bare(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber),
            !host.hasPrefix("[") || host[..<colon].hasSuffix("]")
        else { return host }
        return String(host[..<colon])
    }
}
