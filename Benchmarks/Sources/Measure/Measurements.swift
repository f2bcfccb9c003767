import Workload

/// The results of one step: rows of a table, and single facts. Passed between processes as tab-separated lines.
struct Measurements {
    struct Row {
        var kind: String
        /// The 50th and 99th percentiles in microseconds.
        var p50: Double
        var p99: Double
        /// The share of misspelled queries whose target was among the first ten hits.
        var found: Double?
    }

    var rows: [Row] = []
    var facts: [String: Double] = [:]

    mutating func add(_ kind: String, _ latencies: Latencies, found: Double? = nil) {
        rows.append(
            Row(kind: kind, p50: latencies.microseconds(0.5), p99: latencies.microseconds(0.99), found: found))
    }

    func row(_ kind: String) -> Row? { rows.first { $0.kind == kind } }

    /// A tab-separated line for each row and fact.
    var lines: [String] {
        rows.map { "row\t\($0.kind)\t\($0.p50)\t\($0.p99)\t\($0.found.map { String($0) } ?? "")" }
            + facts.sorted { $0.key < $1.key }.map { "fact\t\($0.key)\t\($0.value)" }
    }

    init() {}

    init(lines: String) {
        for line in lines.split(separator: "\n") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if cells.count == 5, cells[0] == "row", let p50 = Double(cells[2]), let p99 = Double(cells[3]) {
                rows.append(Row(kind: cells[1], p50: p50, p99: p99, found: Double(cells[4])))
            } else if cells.count == 3, cells[0] == "fact", let value = Double(cells[2]) {
                facts[cells[1]] = value
            }
        }
    }
}
