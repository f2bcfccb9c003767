import Foundation
import Workload

/// Puts the tables of `docs/performance.md` together. Each part is measured in a process of its own, so that one part's memory is
/// not counted as another's.
struct Document {
    let counts: [Int]

    func markdown() throws -> String {
        var text = "### Contacts, the whole answer\n\n"
        text += "Microseconds, p50 / p99: found, read from the database, with highlights.\n\n"
        let imports = try counts.map { try Document.part("import", String($0)) }
        let searches = try counts.map { try Document.part("contacts", String($0)) }
        text += latencies(searches) + "\n" + verdict(searches) + "\n### Contacts, the index alone\n\n"
        text += "The same questions to an index in memory that holds names (as letters and as keys) and numbers.\n\n"
        let engines = try counts.map { try Document.part("engine", String($0)) }
        text += latencies(engines) + "\n### Contacts, the rest\n\n" + rest(imports, searches, engines)
        text += "\n### Airports\n\n" + airports(try Document.part("airports"))
        text += "\n### Folding\n\n" + folding(try Document.part("folding"))
        return text
    }

    // MARK: - Tables

    private func latencies(_ findings: [Findings]) -> String {
        var table = Table(columns: ["", ""])
        table.columns = ["question"] + counts.flatMap { [$0.grouped, "found in ten"] }
        for kind in findings.first?.rows.map(\.kind) ?? [] {
            table.rows.append(
                [kind] + findings.flatMap { [Document.times($0.row(kind)), Document.found($0.row(kind))] })
        }
        return table.markdown
    }

    /// Which kinds of question miss the goal of a millisecond at p99 in the largest book.
    private func verdict(_ findings: [Findings]) -> String {
        guard let largest = counts.indices.max(by: { counts[$0] < counts[$1] }), findings.indices.contains(largest)
        else {
            return ""
        }
        let missed = findings[largest].rows.filter { $0.p99 >= 1000 }.map(\.kind)
        let book = "at \(counts[largest].grouped) contacts"
        return missed.isEmpty
            ? "Every kind of question is below 1 ms at p99 \(book).\n"
            : "Not below 1 ms at p99 \(book): \(missed.joined(separator: "; ")).\n"
    }

    private func rest(_ imports: [Findings], _ searches: [Findings], _ engines: [Findings]) -> String {
        var table = Table(columns: [""] + counts.map(\.grouped))
        func add(_ title: String, _ findings: [Findings], _ value: (Findings, Int) -> String) {
            table.rows.append([title] + zip(findings, counts).map { value($0, $1) })
        }
        add("import of a vCard file, s", imports) { found, _ in found.fact("import seconds") }
        add("cards a second", imports) { found, count in
            (Double(count) / (found.facts["import seconds"] ?? 1)).figure
        }
        add("index built from the database and written, s", imports) { found, _ in found.fact("index seconds") }
        add("index built from folded names in memory, s", engines) { found, _ in found.fact("build seconds") }
        add("bytes of index a contact", imports) { found, _ in found.fact("index bytes") }
        add("… of which names and numbers alone", engines) { found, _ in found.fact("bytes") }
        add("index opened from its file, ms", searches) { found, _ in found.fact("opening", times: 1000) }
        add("memory after searching, MB (RSS)", searches) { found, _ in found.fact("resident", times: 1e-6) }
        add("… of which not backed by a file", searches) { found, _ in found.fact("anonymous", times: 1e-6) }
        return table.markdown
    }

    private func airports(_ findings: Findings) -> String {
        var table = Table(columns: ["question", "µs, p50 / p99", "found in ten"])
        for row in findings.rows { table.rows.append([row.kind, Document.times(row), Document.found(row)]) }
        return """
            \(Int(findings.facts["airports"] ?? 0).grouped) airports with all their names. Indexes built and written in \
            \(findings.fact("index seconds")) s, opened from their files in \(findings.fact("opening", times: 1000)) ms; memory after \
            searching \(findings.fact("resident", times: 1e-6)) MB.


            """ + table.markdown
    }

    private func folding(_ findings: Findings) -> String {
        var table = Table(columns: ["", "µs, p50 / p99"])
        for row in findings.rows { table.rows.append([row.kind, Document.times(row)]) }
        return table.markdown
    }

    static func times(_ row: Findings.Row?) -> String {
        row.map { "\($0.p50.figure) / \($0.p99.figure)" } ?? "–"
    }

    static func found(_ row: Findings.Row?) -> String {
        row?.found.map { ($0 * 100).rounded(to: 1) + " %" } ?? ""
    }

    // MARK: - Parts

    /// Measures a part in another process of this program.
    static func part(_ arguments: String...) throws -> Findings {
        FileHandle.standardError.write(Data("measuring \(arguments.joined(separator: " ")) …\n".utf8))
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw PartFailed(part: arguments, status: process.terminationStatus)
        }
        return Findings(lines: String(decoding: data, as: UTF8.self))
    }
}

/// A part of the measuring ended with an error, which it has printed.
struct PartFailed: Error, CustomStringConvertible {
    let part: [String]
    let status: Int32

    var description: String { "measure \(part.joined(separator: " ")) ended with \(status)" }
}

extension Findings {
    func fact(_ name: String, times factor: Double = 1) -> String {
        facts[name].map { ($0 * factor).figure } ?? "–"
    }
}
