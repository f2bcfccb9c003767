import SwitchboardKit

extension Session {
    /// Shows all that is known of something, a line for each thing.
    ///
    /// - Parameter most: how many lines of one thing are shown, and how many letters of a line; nil for all.
    func show(_ details: [Detail], most: (lines: Int, letters: Int)? = nil) {
        var table = Table()
        for detail in details {
            let tone: Style.Tone =
                switch detail.tone {
                case .plain: .plain
                case .strong: .strong
                case .faint: .faint
                }
            let lines = detail.text.split(whereSeparator: \.isNewline)
            for (index, line) in lines.prefix(most?.lines ?? lines.count).enumerated() {
                let text = most.map { line.count <= $0.letters ? line : line.prefix($0.letters - 1) + "…" } ?? line
                table.add([Cell(index == 0 ? detail.name : "", .faint), Cell(String(text), tone)])
            }
        }
        table.write(to: output, style: style)
    }
}
