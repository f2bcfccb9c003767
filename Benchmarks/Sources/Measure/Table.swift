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

extension Int {
    /// With thousands divided: 1,234,567.
    var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }
}

extension Double {
    /// Three figures at least, with thousands divided: 0.123, 4.56, 78.9, 1,234.
    var figure: String {
        let size = abs(self)
        if size >= 100 { return Int(rounded()).grouped }
        return rounded(to: size >= 10 ? 1 : size >= 1 ? 2 : 3)
    }

    /// With so many decimals.
    func rounded(to decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((self * Double(scale)).rounded())
        let fraction = String(abs(scaled) % scale)
        return "\(scaled < 0 ? "-" : "")\(abs(scaled) / scale)."
            + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
