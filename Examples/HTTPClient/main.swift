// A client of the HTTP API: http-client URL, with a token in SWITCHBOARD_TOKEN.
//
// It adds a contact once although it is sent twice, changes it although someone else has changed it meanwhile, lists all
// contacts page by page, and resumes a stream of events without a gap. Examples/HTTPScript does the same in a shell.

import Foundation

guard CommandLine.arguments.count == 2, let server = URL(string: CommandLine.arguments[1]),
    let token = ProcessInfo.processInfo.environment["SWITCHBOARD_TOKEN"]
else {
    print("usage: SWITCHBOARD_TOKEN=sb_… http-client URL")
    exit(64)
}
do {
    try await run(SwitchboardAPI(server: server, token: token))
} catch {
    FileHandle.standardError.write(Data("http-client: \(error)\n".utf8))
    exit(1)
}

func run(_ api: SwitchboardAPI) async throws {
    // A request with the same key is handled once.
    let key = UUID().uuidString
    let contact = try await api.addContact(named: "Zoë Jogo", key: key)
    let again = try await api.addContact(named: "Zoë Jogo", key: key)
    print("added once: \(again.id == contact.id ? "yes" : "no")")

    // A version that has not changed is not sent again.
    guard let version = try await api.contact(contact.id) else { return }
    let isUnchanged = try await api.contact(contact.id, unless: version.tag) == nil
    print("unchanged since: \(isUnchanged ? "yes" : "no")")

    // Someone else is faster. The change is merged with theirs.
    _ = try await api.send("PATCH", "/v1/contacts/\(contact.id)", json: ["note": "Met in Bergen"])
    let merged = try await api.addLine("Call on Monday", to: version)
    print("merged: \(merged.contact.note ?? "")")

    let (names, total) = try await api.names(pageSize: 2)
    print("listed all: \(names.count == total ? "yes" : "no")")

    // A new stream begins with an identifier. What happens until it is resumed comes first then.
    var last: String?
    for try await event in try api.events() {
        last = event.id
        break
    }
    _ = try await api.send("DELETE", "/v1/contacts/\(contact.id)")
    for try await event in try api.events(after: last) where event.type == "changed" {
        print("event: \(event.data)")
        break
    }
}
