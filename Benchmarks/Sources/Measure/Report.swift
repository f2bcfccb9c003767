import Foundation
import Workload

/// Prints the tables of contacts and airports. Each step runs in its own process, so that its memory is measured
/// alone.
struct Report {
    let counts: [Int]

    func markdown() throws -> String {
        var text = "### Contacts, the whole answer\n\n"
        text += "Microseconds, p50 / p99: found, read from the database, with highlights.\n\n"
        let imports = try counts.map { try Report.run("import", String($0)) }
        let searches = try counts.map { try Report.run("contacts", String($0)) }
        text += latencies(searches) + "\n" + verdict(searches) + "\n### Contacts, the index alone\n\n"
        text += "The same queries on an index in memory that holds names (as letters and as keys) and numbers.\n\n"
        let engines = try counts.map { try Report.run("engine", String($0)) }
        text += latencies(engines) + "\n### Contacts, the rest\n\n" + rest(imports, searches, engines)
        text += "\n### Airports\n\n" + airports(try Report.run("airports"))
        text += "\n### Folding\n\n" + folding(try Report.run("folding"))
        return text
    }

    // MARK: - Tables

    private func latencies(_ measurements: [Measurements]) -> String {
        var table = MarkdownTable(columns: ["", ""])
        table.columns = ["query"] + counts.flatMap { [$0.grouped, "found in ten"] }
        for kind in measurements.first?.rows.map(\.kind) ?? [] {
            table.rows.append(
                [kind] + measurements.flatMap { [Report.times($0.row(kind)), Report.found($0.row(kind))] })
        }
        return table.markdown
    }

    /// The kinds of query that miss the goal of a millisecond at p99 with the most contacts.
    private func verdict(_ measurements: [Measurements]) -> String {
        guard let largest = counts.indices.max(by: { counts[$0] < counts[$1] }), measurements.indices.contains(largest)
        else {
            return ""
        }
        let missed = measurements[largest].rows.filter { $0.p99 >= 1000 }.map(\.kind)
        let book = "at \(counts[largest].grouped) contacts"
        return missed.isEmpty
            ? "Every kind of query is below 1 ms at p99 \(book).\n"
            : "Not below 1 ms at p99 \(book): \(missed.joined(separator: "; ")).\n"
    }

    private func rest(_ imports: [Measurements], _ searches: [Measurements], _ engines: [Measurements]) -> String {
        var table = MarkdownTable(columns: [""] + counts.map(\.grouped))
        func add(_ title: String, _ measurements: [Measurements], _ value: (Measurements, Int) -> String) {
            table.rows.append([title] + zip(measurements, counts).map { value($0, $1) })
        }
        add("import of a vCard file, s", imports) { found, _ in found.fact("import seconds") }
        add("cards a second", imports) { found, count in
            (Double(count) / (found.facts["import seconds"] ?? 1)).threeDigits
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

    private func airports(_ measurements: Measurements) -> String {
        var table = MarkdownTable(columns: ["query", "µs, p50 / p99", "found in ten"])
        for row in measurements.rows { table.rows.append([row.kind, Report.times(row), Report.found(row)]) }
        return """
            \(Int(measurements.facts["airports"] ?? 0).grouped) airports with all their names. Their embedded indexes are opened in \
            \(measurements.fact("opening", times: 1000)) ms; memory after searching \(measurements.fact("resident", times: 1e-6)) MB. Those of \
            a loaded list are built and written in \(measurements.fact("index seconds")) s.


            """ + table.markdown
    }

    private func folding(_ measurements: Measurements) -> String {
        var table = MarkdownTable(columns: ["", "µs, p50 / p99"])
        for row in measurements.rows { table.rows.append([row.kind, Report.times(row)]) }
        return table.markdown
    }

    static func times(_ row: Measurements.Row?) -> String {
        row.map { "\($0.p50.threeDigits) / \($0.p99.threeDigits)" } ?? "–"
    }

    static func found(_ row: Measurements.Row?) -> String {
        row?.found.map { ($0 * 100).rounded(to: 1) + " %" } ?? ""
    }

    // MARK: - Steps

    /// Runs a step in another process of this program.
    static func run(_ arguments: String...) throws -> Measurements {
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
            throw StepFailed(step: arguments, status: process.terminationStatus)
        }
        return Measurements(lines: String(decoding: data, as: UTF8.self))
    }
}

/// The error of a step that failed. The step has printed the reason.
struct StepFailed: Error, CustomStringConvertible {
    let step: [String]
    let status: Int32

    var description: String { "measure \(step.joined(separator: " ")) failed with status \(status)" }
}

extension Measurements {
    func fact(_ name: String, times factor: Double = 1) -> String {
        facts[name].map { ($0 * factor).threeDigits } ?? "–"
    }
}
