import Foundation
import Glibc

/// A response of a server.
package struct Reply {
    package var status = 0
    /// The header fields, with names in lower case.
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []

    package init() {}

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    package var json: [String: Any] {
        get throws {
            try expected(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any], text)
        }
    }

    /// The rows under `results`.
    package var results: [[String: Any]] {
        get throws { try expected(try json["results"] as? [[String: Any]], text) }
    }
}

/// A connection to a server on this machine that can send any bytes, including invalid HTTP.
package final class HTTPClient {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private let port: Int

    package init(port: Int) throws {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            throw Failure(text: "cannot connect to \(port): \(String(cString: strerror(errno)))")
        }
        // A read timeout, so that a test cannot hang.
        var time = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends raw bytes.
    package func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Closes the sending side of the connection.
    package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Sends a request and reads the response.
    package func ask(
        _ method: String, _ target: String, headers: [String] = [], body: [UInt8]? = nil, host: String? = nil
    ) throws -> Reply {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\n"
        for header in headers { head += header + "\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        send(Array((head + "\r\n").utf8) + (body ?? []))
        return try readReply(hasBody: method != "HEAD")
    }

    /// Reads a response, skipping those of status 100.
    package func readReply(hasBody: Bool = true) throws -> Reply {
        var reply = Reply()
        repeat {
            reply = Reply()
            let lines = try readHead()
            let words = lines[0].split(separator: " ")
            guard words.count >= 2, let status = Int(words[1]) else { throw Failure(text: "no status: \(lines[0])") }
            reply.status = status
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                reply.headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
                    .trimmingCharacters(in: .whitespaces)
            }
        } while reply.status == 100
        guard hasBody, reply.status != 204, reply.status != 304 else { return reply }
        if reply.headers["transfer-encoding"] == "chunked" {
            while true {
                let size = Int(try readLine(), radix: 16) ?? 0
                reply.body += try read(size)
                _ = try readLine()
                if size == 0 { break }
            }
        } else if let length = reply.headers["content-length"].flatMap({ Int($0) }) {
            reply.body = try read(length)
        }
        return reply
    }

    private func readHead() throws -> [String] {
        var lines: [String] = []
        while true {
            let line = try readLine()
            if line.isEmpty { return lines }
            lines.append(line)
        }
    }

    /// Reads a line without its terminator.
    package func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = buffer[..<end].last == 13 ? buffer[..<(end - 1)] : buffer[..<end]
                let text = String(decoding: line, as: UTF8.self)
                buffer.removeSubrange(...end)
                return text
            }
            try fill()
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeSubrange(..<count) }
        return Array(buffer[..<count])
    }

    private func fill() throws {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else {
            throw Failure(text: count == 0 ? "the server has closed the connection" : "nothing came: errno \(errno)")
        }
        buffer += piece[..<count]
    }

    /// Returns true if the server closes the connection before the read timeout.
    package func isClosed() -> Bool {
        while true {
            do { try fill() } catch { return "\(error)".contains("closed") || "\(error)".contains("errno 104") }
        }
    }
}

/// Returns the value, or throws a failure with the text if it is nil.
func expected<Value>(_ value: Value?, _ text: String) throws -> Value {
    guard let value else { throw Failure(text: "not as expected: \(text)") }
    return value
}
