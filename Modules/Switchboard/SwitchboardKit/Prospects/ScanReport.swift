public import SwitchboardBadges
public import SwitchboardProspects

/// The report of a badge scan.
public struct ScanReport: Sendable {
    /// A skipped picture or code.
    public struct Skipped: Sendable, Hashable, Encodable {
        /// The name of the picture.
        public var file: String
        /// The reason, in one line.
        public var reason: String
        /// The content of the code; nil if none was read.
        public var text: String?
    }

    /// The scanned prospects, as stored, in the order of the pictures.
    public internal(set) var added: [Prospects.Added] = []
    /// The pictures and codes that are not badges.
    public internal(set) var refused: [Skipped] = []
    /// The pictures without a code.
    public internal(set) var empty: [String] = []

    /// The exit status: 65 if something was refused, 1 if nothing was added.
    public var status: ExitStatus {
        if !refused.isEmpty { return .malformed }
        return added.isEmpty ? .nothingFound : .done
    }
}

extension ScanReport: Encodable {
    private enum CodingKeys: String, CodingKey { case added, merged, results, skipped }

    /// Encodes `{"added", "merged", "results": [rows], "skipped": [{"file", "reason", "text"}]}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(added.count { !$0.wasKnown }, forKey: .added)
        try container.encode(added.count(where: \.wasKnown), forKey: .merged)
        try container.encode(added.map { SearchResult($0.prospect) }, forKey: .results)
        let withoutCode = empty.map { Skipped(file: $0, reason: "there is no code in the picture", text: nil) }
        try container.encode(refused + withoutCode, forKey: .skipped)
    }
}

/// Collects the badges of pictures one by one, then adds the prospects together.
public struct BadgeScan: Sendable {
    private let reader = BadgeReader()
    private var badges: [Badge] = []
    private var report = ScanReport()

    /// Creates an empty scan.
    public init() {}

    /// Reads the badges of a picture.
    ///
    /// - Parameters:
    ///   - file: The bytes of a PNG or JPEG file.
    ///   - name: The name for the report.
    /// - Throws: `BadgeReadingError` if no picture can be read at all. Errors of this picture are added to the report.
    public mutating func read(_ file: [UInt8], named name: String) throws(BadgeReadingError) {
        let codes: [ScannedCode]
        do throws(BadgeReadingError) {
            codes = try reader.read(file)
        } catch {
            if error.category == .unavailable { throw error }
            report.refused.append(ScanReport.Skipped(file: name, reason: error.message, text: nil))
            return
        }
        if codes.isEmpty { report.empty.append(name) }
        for code in codes {
            switch code.badge {
            case .success(let badge): badges.append(badge)
            case .failure(let refusal):
                report.refused.append(ScanReport.Skipped(file: name, reason: refusal.message, text: refusal.text))
            }
        }
    }

    /// Adds the prospects of all badges, in one transaction.
    ///
    /// - Parameters:
    ///   - switchboard: The switchboard to add them to.
    ///   - met: The place of the meeting; empty if unknown.
    /// - Throws: `ProspectsError`, `StorageError`. On error nothing is added.
    public func finish(into switchboard: Switchboard, met: String = "") throws -> ScanReport {
        var report = report
        report.added = try switchboard.prospects.add(badges.map { Prospect($0, met: met) })
        for added in report.added where added.wasKnown { try switchboard.retitleReminder(of: added.prospect) }
        return report
    }
}

extension Prospect {
    /// Creates a prospect from a badge. Fields without a counterpart go into the note.
    init(_ badge: Badge, met: String) {
        self.init(
            name: badge.name, email: badge.email, phone: badge.phone, organization: badge.organization,
            note: [badge.title, badge.url, badge.note].filter { !$0.isEmpty }.joined(separator: "\n"), met: met)
    }
}

extension Badge {
    /// Creates the user's own badge.
    public init(_ me: MyDetails) {
        self.init(
            name: me.name, email: me.email, phone: me.phone, organization: me.organization, title: me.title, url: me.url
        )
    }
}
