import Synchronization

/// The names by which this server may be called.
///
/// A page of a stranger can make its own name lead to this machine ("DNS rebinding") and then ask us things as if it were ours; but
/// the name it was asked by stands in the request.
final class Hosts: Sendable {
    private let names: Mutex<Set<String>>
    /// Names that are good with any port, since a proxy may stand before us.
    private let publicNames: Set<String>

    /// - Parameters:
    ///   - port: the one that is listened on.
    ///   - publicHosts: names beside those of this machine, with or without a port.
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

    /// Takes the port that the system has chosen, where it was left to it.
    func listens(on port: Int) { names.withLock { $0.formUnion(Self.local(port: port)) } }

    /// Whether a request for a host (`name:port`) is for us.
    func isOurs(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        return names.withLock({ $0.contains(host) }) || publicNames.contains(Self.bare(host))
    }

    /// The name without its port.
    static func bare(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber),
            !host.hasPrefix("[") || host[..<colon].hasSuffix("]")
        else { return host }
        return String(host[..<colon])
    }
}
