import SwitchboardKit

extension Session {
    /// Prints the details of an object, one per line.
    ///
    /// - Parameter most: The maximum numbers of lines of a detail and of characters of a line, or `nil` for all.
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
