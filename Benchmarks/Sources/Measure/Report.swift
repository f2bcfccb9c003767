import Workload

/// What a run over the kinds of question found out.
struct Report {
    struct Row {
        var kind: ContactQuery.Kind
        var latencies: Latencies
        /// The part of the questions whose person was among the first ten.
        var found: Double
    }

    var rows: [Row] = []
    var memory = Residency()
    /// Seconds to open or build the index.
    var opening = 0.0
    var bytes = 0

    /// Kind, p50, p99 and hits as lines of tab-separated cells, for a process that puts the table together.
    var lines: [String] {
        rows.map { row in
            let found = row.kind.isMisspelt ? (row.found * 100).rounded(to: 1) + " %" : "–"
            return [
                row.kind.rawValue, row.latencies.microseconds(0.5).figure, row.latencies.microseconds(0.99).figure, found,
            ].joined(separator: "\t")
        }
    }
}

extension Int {
    /// With thousands divided.
    var formatted: String { Double(self).figureOfWhole }
}

extension Double {
    fileprivate var figureOfWhole: String { self >= 1000 ? figure : String(Int(self)) }
}
