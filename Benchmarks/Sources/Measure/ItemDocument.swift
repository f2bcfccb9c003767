import Workload

/// Puts the tables of items for `docs/performance.md` together. Each part is measured in a process of its own, so that one part's
/// memory is not counted as another's.
struct ItemDocument {
    let counts: [Int]

    func markdown() throws -> String {
        var puts: [Findings] = []
        var indexes: [Findings] = []
        var searches: [Findings] = []
        for count in counts.map(String.init) {
            _ = try Document.part("item-queries", count)
            puts.append(try Document.part("item-put", count))
            indexes.append(try Document.part("item-index", count))
            searches.append(try Document.part("item-search", count))
        }
        return "Microseconds, p50 / p99.\n\n" + latencies(searches) + "\n" + rest(puts, indexes, searches)
    }

    private func latencies(_ findings: [Findings]) -> String {
        var table = Table(
            columns: ["question"] + counts.flatMap { ["\($0.grouped) items", "whole answer", "found in ten"] })
        for kind in ItemQuery.Kind.allCases.map(\.rawValue) {
            table.rows.append(
                [kind]
                    + findings.flatMap { found in
                        [
                            Document.times(found.row(kind)), Document.times(found.row(kind + ItemFindings.whole)),
                            Document.found(found.row(kind)),
                        ]
                    })
        }
        return table.markdown
    }

    private func rest(_ puts: [Findings], _ indexes: [Findings], _ searches: [Findings]) -> String {
        var table = Table(columns: [""] + counts.map { "\($0.grouped) items" })
        func add(_ title: String, _ findings: [Findings], _ value: (Findings, Double) -> String) {
            table.rows.append([title] + zip(findings, counts).map { value($0, Double($1)) })
        }
        add("put from JSON lines, durable, s", puts) { found, _ in found.fact("put seconds") }
        add("items a second", puts) { found, count in (count / (found.facts["put seconds"] ?? 1)).figure }
        add("index made and written, s", indexes) { found, _ in found.fact("index seconds") }
        table.rows.append(
            ["items a second, put and index"]
                + counts.indices.map { place in
                    let seconds = (puts[place].facts["put seconds"] ?? 1) + (indexes[place].facts["index seconds"] ?? 1)
                    return (Double(counts[place]) / seconds).figure
                })
        add("bytes of database an item", puts) { found, count in found.fact("database bytes", times: 1 / count) }
        add("bytes of index an item", indexes) { found, count in found.fact("index bytes", times: 1 / count) }
        add("index, MB", indexes) { found, _ in found.fact("index bytes", times: 1e-6) }
        add("memory at most while putting, MB (RSS)", puts) { found, _ in found.fact("put peak", times: 1e-6) }
        add("memory at most while making the index", indexes) { found, _ in found.fact("index peak", times: 1e-6) }
        add("index opened from its file and verified, ms", searches) { found, _ in found.fact("opening", times: 1000) }
        add("memory after searching", searches) { found, _ in found.fact("resident", times: 1e-6) }
        add("… of which not backed by a file", searches) { found, _ in found.fact("anonymous", times: 1e-6) }
        return table.markdown
    }
}
