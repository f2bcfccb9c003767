/// A Markdown table.
struct Table {
    var columns: [String]
    var rows: [[String]] = []

    /// The lines; the first column is aligned left, the others right.
    var markdown: String {
        let head = "| " + columns.joined(separator: " | ") + " |"
        let rule = "| --- |" + columns.dropFirst().map { _ in " ---: |" }.joined()
        return ([head, rule] + rows.map { "| " + $0.joined(separator: " | ") + " |" }).joined(separator: "\n") + "\n"
    }
}

extension Double {
    /// Three figures at least, with thousands divided: 0.123, 4.56, 78.9, 1,234.
    var figure: String {
        let magnitude = abs(self)
        if magnitude >= 1000 {
            let whole = String(Int(rounded()))
            return String(whole.reversed().enumerated().map { ($0 > 0 && $0 % 3 == 0 ? "," : "") + String($1) }
                .joined().reversed())
        }
        let decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
        return decimals == 0 ? String(Int(rounded())) : rounded(to: decimals)
    }

    /// With so many decimals.
    func rounded(to decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((self * scale).rounded())
        let fraction = String(abs(scaled) % Int(scale))
        return "\(scaled < 0 ? "-" : "")\(abs(scaled) / Int(scale))."
            + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
