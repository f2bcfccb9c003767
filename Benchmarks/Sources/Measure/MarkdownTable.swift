/// A Markdown table.
struct MarkdownTable {
    var columns: [String]
    var rows: [[String]] = []

    /// The Markdown text. The first column is aligned left, the others right.
    var markdown: String {
        let head = "| " + columns.joined(separator: " | ") + " |"
        let rule = "| --- |" + columns.dropFirst().map { _ in " ---: |" }.joined()
        return ([head, rule] + rows.map { "| " + $0.joined(separator: " | ") + " |" }).joined(separator: "\n") + "\n"
    }
}

extension Int {
    /// The number with thousands separators: 1,234,567.
    var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }
}

extension Double {
    /// The number with at least three significant digits and thousands separators: 0.123, 4.56, 78.9, 1,234.
    var threeDigits: String {
        let size = abs(self)
        if size >= 100 { return Int(rounded()).grouped }
        return rounded(to: size >= 10 ? 1 : size >= 1 ? 2 : 3)
    }

    /// The number with this many decimals.
    func rounded(to decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((self * Double(scale)).rounded())
        let fraction = String(abs(scaled) % scale)
        return "\(scaled < 0 ? "-" : "")\(abs(scaled) / scale)."
            + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
