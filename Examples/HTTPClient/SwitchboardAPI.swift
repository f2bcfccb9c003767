import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server, with the token of a person.
struct SwitchboardAPI: Sendable {
    let server: URL
    let token: String

    /// A response.
    struct Answer: Sendable {
        let status: Int
        /// The version of the resource.
        let tag: String?
        let body: Data

        func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: body)
        }
    }

    /// An error of the server (RFC 9457).
    struct Problem: Error, Decodable, CustomStringConvertible {
        let code: String
        /// The problem and its remedy, for people.
        let detail: String
        /// The member of the body that the problem is about.
        let field: String?

        var description: String { "\(detail) (\(code))" }
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - accepted: The statuses besides 200 to 299 that are not errors.
    ///   - attempts: The number of times that the request is sent if the server cannot be reached or is busy. Requests that
    ///     are not idempotent need a key.
    /// - Throws: ``Problem``, `URLError`.
    func send(
        _ method: String, _ path: String, json: [String: String]? = nil, fields: [String: String] = [:],
        accepting accepted: Set<Int> = [], attempts: Int = 3
    ) async throws -> Answer {
        let request = try request(method, path, json: json, fields: fields)
        for attempt in 1...attempts {
            do {
                let (data, response) = try await URLSession.shared.data(for: request)
                guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                let status = response.statusCode
                let answer = Answer(status: status, tag: response.value(forHTTPHeaderField: "ETag"), body: data)
                if (200..<300).contains(status) || accepted.contains(status) { return answer }
                guard status == 503, attempt < attempts else { throw try answer.decoded(Problem.self) }
                let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init) ?? 1
                try await Task.sleep(for: .seconds(seconds))
            } catch let error as URLError where attempt < attempts && error.code != .cancelled {
                try await Task.sleep(for: .seconds(1))
            }
        }
        throw URLError(.cannotConnectToHost)
    }

    /// Returns a request with the token.
    func request(
        _ method: String, _ path: String, json: [String: String]? = nil, fields: [String: String] = [:]
    ) throws -> URLRequest {
        guard let url = URL(string: path, relativeTo: server) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        if let json {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONEncoder().encode(json)
        }
        return request
    }
}
