import Foundation
import Glibc
import Synchronization

/// A local web server whose valid or invalid responses are chosen by the test.
public final class LocalServer: Sendable {
    /// A received request.
    public struct Request: Sendable, Hashable {
        /// The path, without the query.
        public let path: String
        /// The parameters, decoded.
        public let query: [String: String]
        /// The header fields, with names in lower case.
        public let headers: [String: String]
        /// The method.
        public let method: String
        /// The body.
        public let body: [UInt8]
    }

    /// The behavior of the server for a request.
    public enum Reply: Sendable {
        /// Sends a response and closes the connection.
        case answer(Int = 200, [String: String] = ["Content-Type": "application/json"], body: [UInt8] = [])
        /// Announces the whole body, sends only its first bytes and closes the connection.
        case cut([String: String] = ["Content-Type": "application/json"], body: [UInt8], at: Int)
        /// Sends a byte every 100 milliseconds forever.
        case drip
        /// Sends bytes as fast as possible forever.
        case endless
        /// Sends nothing.
        case silence
        /// Sends bytes that are not HTTP.
        case garbage
    }

    private let listener: Int32
    private let asked = Requests()
    /// The port at 127.0.0.1.
    public let port: Int

    /// The address of the server.
    public var url: String { "http://127.0.0.1:\(port)" }
    /// The requests received so far, in order.
    public var requests: [Request] { asked.all.withLock { $0 } }

    private final class Requests: Sendable {
        let all = Mutex<[Request]>([])
    }

    /// An error of opening a port.
    public struct CannotListen: Error {}

    /// Starts a server that handles each request with `reply`, called on a separate thread.
    public init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        // Writing to a closed connection must not end the process.
        signal(SIGPIPE, SIG_IGN)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard listener >= 0, isListening else { throw CannotListen() }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        let asked = asked
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { Connection(connection).serve(asked.all, reply) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Returns a port of this machine that is closed.
    public static func closedPort() throws -> Int { try LocalServer { _ in .silence }.port }
}

private struct Connection {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func serve(_ asked: borrowing Mutex<[LocalServer.Request]>, _ reply: (LocalServer.Request) -> LocalServer.Reply) {
        defer { close(descriptor) }
        guard let request = request() else { return }
        asked.withLock { $0.append(request) }
        switch reply(request) {
        case .answer(let status, let headers, let body):
            send(head(status, headers, length: body.count))
            send(body)
        case .cut(let headers, let body, let place):
            send(head(200, headers, length: body.count))
            send(Array(body.prefix(place)))
        case .drip:
            send(head(200, ["Content-Type": "application/json"], length: nil))
            while send([0x20]) { usleep(100_000) }
        case .endless:
            send(head(200, ["Content-Type": "application/json"], length: nil))
            while send([UInt8](repeating: 0x20, count: 1 << 16)) {}
        case .silence: while receive() != nil {}
        case .garbage: send(Array("\u{0}\u{1} this is no HTTP\r\n\r\n".utf8))
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func request() -> LocalServer.Request? {
        var bytes: [UInt8] = []
        var head: Range<Int>?
        while head == nil {
            guard let more = receive() else { return nil }
            bytes += more
            head = bytes.firstRange(of: [0x0D, 0x0A, 0x0D, 0x0A])
        }
        let end = head?.upperBound ?? 0
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3, let parts = URLComponents(string: String(words[1])) else { return nil }
        let query = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), line[colon...].dropFirst().trimmingCharacters(in: .whitespaces))
        }
        let named = Dictionary(headers) { $1 }
        var body = Array(bytes[end...])
        while body.count < named["content-length"].flatMap({ Int($0) }) ?? 0 {
            guard let more = receive() else { return nil }
            body += more
        }
        return LocalServer.Request(
            path: parts.path, query: Dictionary(query) { $1 }, headers: named, method: String(words[0]), body: body)
    }

    private func head(_ status: Int, _ headers: [String: String], length: Int?) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) As the test says", "Connection: close"]
        if let length, status != 304 { lines.append("Content-Length: \(length)") }
        lines += headers.map { "\($0.key): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    @discardableResult
    private func send(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let sent = bytes[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if sent <= 0 { return false }
            start += sent
        }
        return true
    }

    private func receive() -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &piece, piece.count)
        return count > 0 ? Array(piece[..<count]) : nil
    }
}
