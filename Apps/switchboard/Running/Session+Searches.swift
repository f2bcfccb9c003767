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
        let completion = kinds == [.airport] ? try completion(isKeypad: isKeypad) : nil
        return try search(query, opening: number, completing: completion) {
            try switchboard.find($0, kinds: kinds, keypad: isKeypad, limit: searchLimit)
        }
    }

    /// Runs `contacts find`.
    func findContacts(_ words: [String], isBatch: Bool, as lines: LineFormat? = nil) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "TEXT")
        let switchboard = try switchboard()
        if let lines { return try writeLines(lines, query) { try switchboard.findContacts($0, limit: $1) } }
        return try search(query) { try switchboard.findContacts($0, limit: searchLimit) }
    }

    /// Runs `contacts dial`.
    func dialContacts(_ words: [String], isBatch: Bool, as lines: LineFormat? = nil) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "DIGITS")
        let switchboard = try switchboard()
        if let lines { return try writeLines(lines, query) { try switchboard.dialContacts($0, limit: $1) } }
        return try search(query) { try switchboard.dialContacts($0, limit: searchLimit) }
    }

    /// Runs `airports search`.
    func searchAirports(_ words: [String], isBatch: Bool, stage: Int?) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "TEXT")
        let switchboard = try switchboard()
        usesPopularList = true
        return try search(query, completing: completion(stage: stage)) {
            try switchboard.searchAirports($0, limit: searchLimit, stage: stage)
        }
    }

    /// Runs `airports dial`.
    func dialAirports(_ words: [String], isBatch: Bool, stage: Int?) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "DIGITS")
        let switchboard = try switchboard()
        usesPopularList = true
        return try search(query, completing: completion(isKeypad: true, stage: stage)) {
            try switchboard.dialAirports($0, limit: searchLimit, stage: stage)
        }
    }

    /// Returns a completion that adds the airports of the configured server, or `nil` without a server.
    private func completion(isKeypad: Bool = false, stage: Int? = nil) throws -> Completion? {
        guard let server = try server() else { return nil }
        let switchboard = try switchboard()
        return { [searchLimit] answer in
            try switchboard.completing(answer, keypad: isKeypad, limit: searchLimit, stage: stage, from: server)
        }
    }
}
