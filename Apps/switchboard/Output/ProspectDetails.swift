import Foundation
import Prospects

extension Session {
    /// Shows all that is known of a prospect, a line for each thing.
    func showDetails(of prospect: Prospect) {
        var table = Table()
        func add(_ name: String, _ text: String, _ tone: Style.Tone = .plain) {
            for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
                table.add([Cell(index == 0 ? name : "", .faint), Cell(String(line), tone)])
            }
        }
        func add(_ name: String, _ time: Date?) {
            if let time { add(name, time.formatted(.iso8601)) }
        }
        add("name", prospect.displayName, .strong)
        add("organisation", prospect.organization)
        add("e-mail", prospect.email)
        add("phone", prospect.phone)
        add("note", prospect.note)
        for meeting in prospect.meetings {
            add("met", meeting.time.formatted(.iso8601) + (meeting.place.isEmpty ? "" : "  " + meeting.place))
        }
        add("contacted", prospect.contactedAt.map { $0.formatted(.iso8601) } ?? "not yet")
        add("created", prospect.createdAt)
        add("changed", prospect.modifiedAt)
        add("id", prospect.id, .faint)
        table.write(to: output, style: style)
    }
}
