import SwitchboardKeypad
import SwitchboardKit

// The search commands, shared by the parser and the fast path.

extension Session {
    /// Runs `find`. With a number, prints the address of that result.
    func find(
        _ words: [String], isBatch: Bool, kinds: Set<ResultKind>, isKeypad: Bool, opening number: Int? = nil
    ) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "WORDS")
        let switchboard = try switchboard()
        usesPopularList = kinds.contains(.airport)
        // A query across all kinds may contain a person's name, which must not be sent to an airport server.
        let completion = kinds == [.airport] ? try completion() : nil
        return try search(query, opening: number, completing: completion) {
            try switchboard.search(SearchInput($0, keypad: isKeypad), kinds: kinds, limit: searchLimit)
        }
    }

    /// Runs `contacts find` and `contacts dial`.
    func searchContacts(_ words: [String], isBatch: Bool, isKeypad: Bool, as lines: LineFormat? = nil) throws
        -> ExitStatus
    {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: isKeypad ? "DIGITS" : "TEXT")
        let switchboard = try switchboard()
        func contacts(_ query: String, limit: Int) throws -> SearchResponse {
            try switchboard.searchContacts(SearchInput(query, keypad: isKeypad), limit: limit)
        }
        if let lines { return try writeLines(lines, query) { try contacts($0, limit: $1) } }
        return try search(query) { try contacts($0, limit: searchLimit) }
    }

    /// Runs `airports search` and `airports dial`.
    func searchAirports(_ words: [String], isBatch: Bool, isKeypad: Bool, stage: Int?) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: isKeypad ? "DIGITS" : "TEXT")
        let switchboard = try switchboard()
        usesPopularList = true
        return try search(query, completing: completion(stage: stage)) {
            try switchboard.searchAirports(SearchInput($0, keypad: isKeypad), limit: searchLimit, stage: stage)
        }
    }

    /// Returns a completion that adds the airports of the configured server, or `nil` without a server.
    private func completion(stage: Int? = nil) throws -> Completion? {
        guard let server = try server() else { return nil }
        let switchboard = try switchboard()
        return { [searchLimit] answer in
            try switchboard.completing(answer, limit: searchLimit, stage: stage, from: server)
        }
    }
}
