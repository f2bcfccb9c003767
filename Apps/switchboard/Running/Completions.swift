import ArgumentParser
import Foundation
import SwitchboardContacts
import SwitchboardKeypad
import SwitchboardKit

extension CompletionKind {
    /// The names of contacts.
    static var contacts: CompletionKind {
        objects(withContacts: true) { try $0.searchContacts(SearchInput($1), limit: most).results }
    }

    /// The names of prospects.
    static var prospects: CompletionKind {
        objects { try $0.searchProspects(SearchInput($1), limit: most).results }
    }

    /// The names of contacts, prospects and items, and the codes of airports.
    static var anything: CompletionKind {
        objects(withContacts: true) { try $0.search(SearchInput($1), limit: most).results }
    }

    /// The names and codes of airports.
    static var airports: CompletionKind {
        objects { try $0.searchAirports(SearchInput($1), limit: most).results }
    }

    /// The names of groups.
    static var groups: CompletionKind {
        completing { switchboard, _ in
            try switchboard.contacts.groups().map { ($0.name, "\($0.count) members") }
        }
    }

    /// The languages of names, such as `de`.
    static var languages: CompletionKind {
        .list(Locale.LanguageCode.isoLanguageCodes.map(\.identifier).filter { $0.count == 2 }.sorted())
    }

    /// The maximum number of results, and of names, among which completions are.
    private static var most: Int { 50 }

    /// Completes the names of the results of a search. A name that several have is completed to their identifiers.
    ///
    /// - Parameter withContacts: `true` to add the contacts whose names begin with the text. A search shows whole words
    ///   first, wherever they are in a name: `Mar` finds all people of this name before Maria.
    private static func objects(
        withContacts: Bool = false, _ search: @escaping @Sendable (Switchboard, String) throws -> [SearchResult]
    ) -> CompletionKind {
        completing { switchboard, typed in
            var rows = try search(switchboard, typed)
            if withContacts {
                let known = Set(rows.map(\.id))
                let contacts = try switchboard.contacts.contacts(beginningWith: typed, limit: most)
                rows += contacts.filter { !known.contains($0.id) }.map { SearchResult($0) }
            }
            let counts = Dictionary(rows.map { ($0.title, 1) }) { $0 + $1 }
            return rows.map { row in
                if row.kind == .airport {
                    let isCode = row.id.lowercased().hasPrefix(typed.lowercased())
                    let code = typed == typed.lowercased() && !typed.isEmpty ? row.id.lowercased() : row.id
                    return isCode ? (code, row.title) : (row.title, row.id)
                }
                return counts[row.title] == 1 ? (row.title, row.id) : (row.id, row.title)
            }
        }
    }

    /// Completes a word in this process. Errors are silent: there is nobody to read them on the line that is typed.
    private static func completing(
        _ candidates: @escaping @Sendable (Switchboard, String) throws -> [(text: String, description: String)]
    ) -> CompletionKind {
        .custom { words, _, typed in
            let shell = ProcessInfo.processInfo.environment["SAP_SHELL"] ?? ""
            let environment = ProcessEnvironment.current
            let named = words.firstIndex(of: "--database").flatMap {
                words.indices.contains($0 + 1) ? words[$0 + 1] : nil
            }
            guard let database = try? named ?? environment.database() else { return [] }
            var settings = Settings(
                database: database, region: try? environment.region(), language: environment.language ?? "en",
                isShortLived: true)
            settings.missingFileIsEmpty = true
            let switchboard = Switchboard(settings)
            defer { switchboard.close() }
            guard let found = try? candidates(switchboard, typed) else { return [] }
            return found.compactMap { candidate in
                guard candidate.text.lowercased().hasPrefix(typed.lowercased()) else { return nil }
                return CompletionText(candidate.text, candidate.description, typed: typed).line(for: shell)
            }
        }
    }
}

/// A completion in the form that the script of a shell reads.
struct CompletionText {
    private let text: String
    private let description: String

    /// Creates a completion. It starts with the typed letters, since shells compare the case.
    init(_ text: String, _ description: String, typed: String) {
        func clean(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        }
        self.text = clean(typed + text.dropFirst(typed.count))
        self.description = clean(description)
    }

    /// Returns a line for `bash`, `zsh` or `fish`.
    func line(for shell: String) -> String {
        switch shell {
        // compgen expands its words, so a name such as $(date) would run.
        case "bash":
            text.reduce(into: "") { line, character in
                if character.isASCII, !character.isLetter, !character.isNumber { line += "\\" }
                line.append(character)
            }
        case "zsh": text.replacing(":", with: "\\:") + ":" + description
        case "fish": text + "\t" + description
        default: text
        }
    }
}
