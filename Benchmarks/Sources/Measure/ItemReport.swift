import Workload

/// Prints the tables of items. Each step runs in its own process, so that its memory is
/// measured alone.
struct ItemReport {
    let counts: [Int]

    func markdown() throws -> String {
        var puts: [Measurements] = []
        var indexes: [Measurements] = []
        var searches: [Measurements] = []
        for count in counts.map(String.init) {
            _ = try Report.run("item-queries", count)
            puts.append(try Report.run("item-put", count))
            indexes.append(try Report.run("item-index", count))
            searches.append(try Report.run("item-search", count))
        }
        return "Microseconds, p50 / p99.\n\n" + latencies(searches) + "\n" + rest(puts, indexes, searches)
    }

    private func latencies(_ measurements: [Measurements]) -> String {
        var table = MarkdownTable(
            columns: ["query"] + counts.flatMap { ["\($0.grouped) items", "whole answer", "found in ten"] })
        for kind in ItemQuery.Kind.allCases.map(\.rawValue) {
            table.rows.append(
                [kind]
                    + measurements.flatMap { found in
                        [
                            Report.times(found.row(kind)), Report.times(found.row(kind + ItemMeasurements.whole)),
                            Report.found(found.row(kind)),
                        ]
                    })
        }
        return table.markdown
    }

    private func rest(_ puts: [Measurements], _ indexes: [Measurements], _ searches: [Measurements]) -> String {
        var table = MarkdownTable(columns: [""] + counts.map { "\($0.grouped) items" })
        func add(_ title: String, _ measurements: [Measurements], _ value: (Measurements, Double) -> String) {
            table.rows.append([title] + zip(measurements, counts).map { value($0, Double($1)) })
        }
        add("put from JSON lines, durable, s", puts) { found, _ in found.fact("put seconds") }
        add("items a second", puts) { found, count in (count / (found.facts["put seconds"] ?? 1)).threeDigits }
        add("index built and written, s", indexes) { found, _ in found.fact("index seconds") }
        table.rows.append(
            ["items a second, put and index"]
                + counts.indices.map { index in
                    let seconds = (puts[index].facts["put seconds"] ?? 1) + (indexes[index].facts["index seconds"] ?? 1)
                    return (Double(counts[index]) / seconds).threeDigits
                })
        add("bytes of database an item", puts) { found, count in found.fact("database bytes", times: 1 / count) }
        add("bytes of index an item", indexes) { found, count in found.fact("index bytes", times: 1 / count) }
        add("index, MB", indexes) { found, _ in found.fact("index bytes", times: 1e-6) }
        add("memory at most while putting, MB (RSS)", puts) { found, _ in found.fact("put peak", times: 1e-6) }
        add("memory at most while building the index", indexes) { found, _ in found.fact("index peak", times: 1e-6) }
        add("index opened from its file and verified, ms", searches) { found, _ in found.fact("opening", times: 1000) }
        add("memory after searching", searches) { found, _ in found.fact("resident", times: 1e-6) }
        add("… of which not backed by a file", searches) { found, _ in found.fact("anonymous", times: 1e-6) }
        return table.markdown
    }
}
