public import SwitchboardBadges
public import SwitchboardProspects

/// What became of pictures of badges.
public struct ScanReport: Sendable {
    /// A picture or code that was left out.
    public struct Skipped: Sendable, Hashable, Encodable {
        /// The picture as it was named.
        public var file: String
        /// Why, in one line.
        public var reason: String
        /// What stands in the code; nil if none was read.
        public var text: String?
    }

    /// The people read, as stored, in the order of the pictures.
    public internal(set) var added: [Prospects.Added] = []
    /// Pictures and codes that are no badges.
    public internal(set) var refused: [Skipped] = []
    /// Pictures in which there is no code.
    public internal(set) var empty: [String] = []

    /// What a command ends with: 65 if something was refused, 1 if there was nothing to add.
    public var status: ExitStatus {
        if !refused.isEmpty { return .malformed }
        return added.isEmpty ? .nothingFound : .done
    }
}

extension ScanReport: Encodable {
    private enum CodingKeys: String, CodingKey { case added, merged, results, skipped }

    /// Writes `{"added", "merged", "results": [rows], "skipped": [{"file", "reason", "text"}]}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(added.count { !$0.wasKnown }, forKey: .added)
        try container.encode(added.count(where: \.wasKnown), forKey: .merged)
        try container.encode(added.map { SearchResult($0.prospect) }, forKey: .results)
        let withoutCode = empty.map { Skipped(file: $0, reason: "there is no code in the picture", text: nil) }
        try container.encode(refused + withoutCode, forKey: .skipped)
    }
}

/// Collects the badges of pictures, one picture at a time, and adds their people all together.
public struct BadgeScan: Sendable {
    private let reader = BadgeReader()
    private var badges: [Badge] = []
    private var report = ScanReport()

    /// A scan of no pictures yet.
    public init() {}

    /// Reads the badges of a picture.
    ///
    /// - Parameters:
    ///   - file: the bytes of a PNG or JPEG file.
    ///   - name: what it is called in the report.
    /// - Throws: `BadgeReadingError` if the codes of no picture can be read. What is wrong with this one is in the report.
    public mutating func read(_ file: [UInt8], named name: String) throws(BadgeReadingError) {
        let codes: [ScannedCode]
        do throws(BadgeReadingError) {
            codes = try reader.read(file)
        } catch {
            if error.isAboutInstallation { throw error }
            report.refused.append(ScanReport.Skipped(file: name, reason: error.description, text: nil))
            return
        }
        if codes.isEmpty { report.empty.append(name) }
        for code in codes {
            switch code.badge {
            case .success(let badge): badges.append(badge)
            case .failure(let refusal):
                report.refused.append(ScanReport.Skipped(file: name, reason: refusal.reason, text: refusal.text))
            }
        }
    }

    /// Adds the people of all badges read, in one transaction.
    ///
    /// - Parameters:
    ///   - switchboard: whose prospects they become.
    ///   - met: where they were met; empty if nobody said.
    /// - Throws: `ProspectsError`, `StorageError`; nobody is added then.
    public func finish(into switchboard: Switchboard, met: String = "") throws -> ScanReport {
        var report = report
        report.added = try switchboard.prospects.add(badges.map { Prospect($0, met: met) }).added
        for added in report.added where added.wasKnown { try switchboard.retitleReminder(of: added.prospect) }
        return report
    }
}

extension Prospect {
    /// Somebody whose badge was read. What has no field of its own is noted.
    init(_ badge: Badge, met: String) {
        self.init(
            name: badge.name, email: badge.email, phone: badge.phone, organization: badge.organization,
            note: [badge.title, badge.url, badge.note].filter { !$0.isEmpty }.joined(separator: "\n"), met: met)
    }
}

extension Badge {
    /// One's own badge.
    public init(_ me: MyDetails) {
        self.init(
            name: me.name, email: me.email, phone: me.phone, organization: me.organization, title: me.title, url: me.url
        )
    }
}
