import Foundation
import SwitchboardVCard

/// The export formats besides JSON.
public enum ProspectFormat: String, CaseIterable, Sendable {
    /// vCard 3.0, which all address books read.
    case vcard3
    /// vCard 4.0.
    case vcard4
    /// CSV in UTF-8 with a header (RFC 4180).
    case csv
}

extension Prospects {
    /// Exports the prospects that match a filter, from one snapshot.
    ///
    /// - Parameters:
    ///   - format: The file format.
    ///   - filter: The prospects to include.
    ///   - order: The sort order.
    ///   - write: Receives the text in chunks, the header of a table first. An error that it throws ends the export.
    public func export(
        _ format: ProspectFormat, _ filter: ProspectFilter = .everyone, sortedBy order: ProspectOrder = .name,
        to write: (String) throws -> Void
    ) throws {
        if format == .csv { try write(ProspectTable.header) }
        try forEach(filter, sortedBy: order) { prospect in
            switch format {
            case .vcard3: try write(prospect.card(version: "3.0"))
            case .vcard4: try write(prospect.card(version: "4.0"))
            case .csv: try write(ProspectTable.row(of: prospect))
            }
        }
    }
}

extension Prospect {
    /// Returns the prospect as a vCard with folded lines that end in CR LF.
    ///
    /// - Parameter version: "3.0" (RFC 2426) or "4.0" (RFC 6350).
    func card(version: String) -> String {
        var lines = VCardLines()
        func add(_ name: String, _ text: String) {
            if !text.isEmpty { lines.add(name + ":" + VCardText.escaped(text)) }
        }
        lines.add("BEGIN:VCARD")
        lines.add("VERSION:" + version)
        add("FN", displayName)
        // The last word is treated as the family name; FN has the name as entered.
        let words = name.split(separator: " ").map(String.init)
        let family = words.count > 1 ? words.last ?? "" : ""
        let given = (words.count > 1 ? words.dropLast() : words[...]).joined(separator: " ")
        lines.add("N:" + VCardText.structured([family, given, "", "", ""]))
        add("ORG", organization)
        add(version == "3.0" ? "EMAIL;TYPE=INTERNET" : "EMAIL", email)
        add(version == "3.0" ? "TEL;TYPE=VOICE" : "TEL;TYPE=voice", phone)
        let places = met.isEmpty ? "" : "Met: " + met
        add("NOTE", [note, places].filter { !$0.isEmpty }.joined(separator: "\n"))
        add("UID", id)
        if let modifiedAt {
            lines.add("REV:" + modifiedAt.basicISO8601)
        }
        lines.add("END:VCARD")
        return lines.text
    }
}

private enum ProspectTable {
    static let header = "id,name,email,phone,organization,note,met,contacted,contactedAt,createdAt,modifiedAt\r\n"

    static func row(of prospect: Prospect) -> String {
        let times = [prospect.contactedAt, prospect.createdAt, prospect.modifiedAt].map { time in
            time.map { $0.formatted(.iso8601) } ?? ""
        }
        let fields =
            [
                prospect.id, prospect.name, prospect.email, prospect.phone, prospect.organization, prospect.note,
                prospect.met, prospect.isContacted ? "yes" : "no",
            ] + times
        return CSVLine.text(fields)
    }
}
