import SwitchboardKit

// The searches as they are run, however their arguments were read.

extension Session {
    /// `find`; with a number it is told where that result leads.
    func find(
        _ words: [String], isBatch: Bool, kinds: Set<ResultKind>, isKeypad: Bool, opening number: Int? = nil
    ) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "WORDS")
        let switchboard = try switchboard()
        usesPopularList = kinds.contains(.airport)
        // What is looked for across all kinds may be the name of a person, which is nothing for a server of airports.
        let completion = kinds == [.airport] ? try completion(isKeypad: isKeypad) : nil
        return try search(query, opening: number, completing: completion) {
            try switchboard.find($0, kinds: kinds, keypad: isKeypad, limit: searchLimit)
        }
    }

    /// `contacts find`.
    func findContacts(_ words: [String], isBatch: Bool, as lines: LineFormat? = nil) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "TEXT")
        let switchboard = try switchboard()
        if let lines { return try writeLines(lines, query) { try switchboard.findContacts($0, limit: $1) } }
        return try search(query) { try switchboard.findContacts($0, limit: searchLimit) }
    }

    /// `contacts dial`.
    func dialContacts(_ words: [String], isBatch: Bool, as lines: LineFormat? = nil) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "DIGITS")
        let switchboard = try switchboard()
        if let lines { return try writeLines(lines, query) { try switchboard.dialContacts($0, limit: $1) } }
        return try search(query) { try switchboard.dialContacts($0, limit: searchLimit) }
    }

    /// `airports search`.
    func searchAirports(_ words: [String], isBatch: Bool, stage: Int?) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "TEXT")
        let switchboard = try switchboard()
        usesPopularList = true
        return try search(query, completing: completion(stage: stage)) {
            try switchboard.searchAirports($0, limit: searchLimit, stage: stage)
        }
    }

    /// `airports dial`.
    func dialAirports(_ words: [String], isBatch: Bool, stage: Int?) throws -> ExitStatus {
        let query = try BatchOptions.query(words, isBatch: isBatch, named: "DIGITS")
        let switchboard = try switchboard()
        usesPopularList = true
        return try search(query, completing: completion(isKeypad: true, stage: stage)) {
            try switchboard.dialAirports($0, limit: searchLimit, stage: stage)
        }
    }

    /// Asks the server, if one is named, for the airports that this program does not have.
    private func completion(isKeypad: Bool = false, stage: Int? = nil) throws -> Completion? {
        guard let server = try server() else { return nil }
        let switchboard = try switchboard()
        return { [searchLimit] answer in
            try switchboard.completing(answer, keypad: isKeypad, limit: searchLimit, stage: stage, from: server)
        }
    }
}
