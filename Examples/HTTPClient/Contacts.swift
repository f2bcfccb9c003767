import Foundation

/// The members of a contact that this program uses.
struct Contact: Decodable, Sendable {
    let id: String
    let name: String
    let note: String?
}

/// A contact and its version.
struct Version: Sendable {
    let contact: Contact
    let tag: String

    private struct Answer: Decodable { let contact: Contact }

    init(_ answer: SwitchboardAPI.Answer) throws {
        contact = try answer.decoded(Answer.self).contact
        tag = answer.tag ?? ""
    }

    /// Creates the current version from a response with the status 412.
    init(ofConflict answer: SwitchboardAPI.Answer) throws {
        struct Conflict: Decodable { let current: Answer }
        contact = try answer.decoded(Conflict.self).current.contact
        tag = answer.tag ?? ""
    }
}

extension SwitchboardAPI {
    /// Adds a contact. The server handles requests with the same key once, so it is safe to send one again.
    func addContact(named name: String, key: String) async throws -> Contact {
        let answer = try await send("POST", "/v1/contacts", json: ["name": name], fields: ["Idempotency-Key": key])
        return try Version(answer).contact
    }

    /// Returns a contact; nil if it still has a version.
    func contact(_ id: String, unless tag: String? = nil) async throws -> Version? {
        let fields = tag.map { ["If-None-Match": $0] } ?? [:]
        let answer = try await send("GET", "/v1/contacts/\(id)", fields: fields, accepting: [304])
        return answer.status == 304 ? nil : try Version(answer)
    }

    /// Adds a line to the note of a contact, also if someone else has changed it since it was read.
    func addLine(_ line: String, to known: Version) async throws -> Version {
        var version = known
        while true {
            let note = [version.contact.note ?? "", line].filter { !$0.isEmpty }.joined(separator: "; ")
            let answer = try await send(
                "PATCH", "/v1/contacts/\(version.contact.id)", json: ["note": note], fields: ["If-Match": version.tag],
                accepting: [412])
            if answer.status != 412 { return try Version(answer) }
            version = try Version(ofConflict: answer)
            print("merging with: \(version.contact.note ?? "")")
        }
    }

    /// Returns the names of all contacts, page by page.
    func names(pageSize: Int) async throws -> (names: [String], total: Int) {
        struct Page: Decodable {
            struct Row: Decodable { let title: String }
            let results: [Row]
            let total: Int
            let nextCursor: String?
        }
        var names: [String] = []
        var query = [URLQueryItem(name: "limit", value: String(pageSize))]
        while true {
            var path = URLComponents()
            path.path = "/v1/contacts"
            path.queryItems = query
            let page = try await send("GET", path.string ?? "").decoded(Page.self)
            names += page.results.map(\.title)
            guard let cursor = page.nextCursor else { return (names, page.total) }
            query = [query[0], URLQueryItem(name: "cursor", value: cursor)]
        }
    }
}
