public import Foundation
public import SwitchboardBadges
public import SwitchboardContacts
public import SwitchboardJSON
public import SwitchboardProspects
public import SwitchboardReminders
import SwitchboardStorage

extension Switchboard {
    /// Adds a prospect, or updates one met before.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func addProspect(_ change: ProspectChange) throws -> Prospects.Added {
        var prospect = Prospect()
        change.apply(to: &prospect)
        let added = try prospects.add(prospect)
        if added.wasKnown { try retitleReminder(of: added.prospect) }
        return added
    }

    /// Changes a prospect.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func editProspect(_ id: String, _ change: ProspectChange) throws -> Prospect {
        try editProspect(id) { change.apply(to: &$0) }
    }

    func editProspect(_ id: String, _ change: (inout Prospect) throws -> Void) throws -> Prospect {
        let prospect = try prospects.edit(id, change)
        try retitleReminder(of: prospect)
        return prospect
    }

    /// Creates contacts from prospects and keeps the prospects. Does nothing if one of them is unknown.
    ///
    /// - Returns: The contacts, in the order of the identifiers.
    /// - Throws: `ProspectsError`, `StorageError`.
    public func addToContacts(_ ids: [String]) throws -> [Contact] {
        let (prospects, contacts, region) = (try prospects, try contacts, settings.region)
        return try storage.write { _ in
            try ids.map { id in
                let prospect = try prospects.prospect(id)
                var contact = Contact()
                contact.setWholeName(prospect.name)
                contact.organization = prospect.organization
                if !prospect.email.isEmpty { contact.emails = [Email(address: prospect.email)] }
                if !prospect.phone.isEmpty {
                    contact.phones = [Phone(number: PhoneNumber(prospect.phone, region: region))]
                }
                let meeting = prospect.met.isEmpty ? "" : "Met: " + prospect.met
                contact.note = [prospect.note, meeting].filter { !$0.isEmpty }.joined(separator: "\n")
                return try contacts.add(contact)
            }
        }
    }

    /// Marks prospects as contacted, which closes their reminders, or as uncontacted, which opens the latest of each
    /// again. Does nothing if one of them is unknown.
    ///
    /// - Returns: The prospects, in the order of the identifiers.
    /// - Throws: `ProspectsError`, `StorageError`.
    @discardableResult
    public func setContacted(_ ids: [String], to isContacted: Bool = true) throws -> [Prospect] {
        let (prospects, reminders) = (try prospects, try reminders)
        return try storage.write { _ in
            let changed = try prospects.setContacted(ids, to: isContacted)
            try isContacted ? reminders.complete(subjects: ids) : reminders.reopen(of: ids)
            return changed
        }
    }

    /// Removes prospects and cancels their reminders. Does nothing if one of them is unknown.
    ///
    /// - Throws: `ProspectsError`, `StorageError`.
    public func removeProspects(_ ids: [String]) throws {
        let (prospects, reminders) = (try prospects, try reminders)
        try storage.write { _ in
            try prospects.remove(ids)
            try reminders.cancel(subjects: ids)
        }
    }

    /// Restores removed prospects with the reminders that their removal cancelled, or none if one cannot be restored.
    ///
    /// - Returns: The prospects, in the order of the identifiers.
    /// - Throws: `ProspectsError`, `StorageError`.
    @discardableResult
    public func restoreProspects(_ ids: [String]) throws -> [Prospect] {
        let (prospects, reminders) = (try prospects, try reminders)
        return try storage.write { _ in
            for id in ids { try reminders.restore(of: id, cancelledSince: try prospects.removalTime(of: id)) }
            return try prospects.restore(ids)
        }
    }

    /// Stores the details of the user's own badge.
    ///
    /// - Returns: The stored details.
    /// - Throws: `QRCodeError` if the details do not fit into a QR code, `ProspectsError`, `StorageError`.
    public func setMe(_ me: MyDetails) throws -> MyDetails {
        try storage.write { _ in
            let stored = try prospects.setMe(me)
            // If no QR code can be created, roll back the change.
            if stored != MyDetails() { _ = try QRCode(Badge(stored).vCard) }
            return stored
        }
    }
}

/// A change to the fields of a prospect: nil leaves a field unchanged, an empty value removes it.
///
/// Used for new and existing prospects in all front ends.
public struct ProspectChange: Sendable {
    /// The whole name.
    public var name: String?
    /// The e-mail address.
    public var email: String?
    /// The phone number.
    public var phone: String?
    /// The company.
    public var organization: String?
    /// The note.
    public var note: String?
    /// The place of the meeting.
    public var met: String?

    /// Creates an empty change.
    public init() {}

    private var fields: [(path: WritableKeyPath<Prospect, String>, text: String?)] {
        [
            (\.name, name), (\.email, email), (\.phone, phone), (\.organization, organization), (\.note, note),
            (\.met, met),
        ]
    }

    /// `true` if the change is empty.
    public var isEmpty: Bool { fields.allSatisfy { $0.text == nil } }

    /// Applies the change.
    public func apply(to prospect: inout Prospect) {
        for (path, text) in fields {
            if let text { prospect[keyPath: path] = text }
        }
    }
}

/// The report of a badge scan.
public struct ScanReport: Sendable {
    /// A skipped picture or code.
    public struct Skipped: Sendable, Hashable, Encodable {
        /// The name of the picture.
        public var file: String
        /// The reason, in one line.
        public var reason: String
        /// The content of the code; nil if no code was read.
        public var text: String?
    }

    /// The scanned prospects, as stored, in the order of the pictures.
    public internal(set) var added: [Prospects.Added] = []
    /// The pictures and codes that are not badges.
    public internal(set) var refused: [Skipped] = []
    /// The pictures in which no code was found.
    public internal(set) var empty: [String] = []

    /// The reason for a picture in which no code was found. Other kinds of codes cannot be read.
    public static let emptyReason = "found no QR, Micro QR, Aztec, Data Matrix or PDF417 code in the picture"

    /// The exit status: 65 if something was skipped, 1 if nothing was added.
    public var status: ExitStatus {
        if !refused.isEmpty { return .malformed }
        return added.isEmpty ? .nothingFound : .done
    }
}

extension ScanReport: JSONObjectEncodable {
    /// Encodes `{"added", "merged", "results": [rows], "skipped": [{"file", "reason", "text"}]}`.
    public func encode(to members: inout JSONMembers) throws {
        try members.add("added", added.count { !$0.wasKnown })
        try members.add("merged", added.count(where: \.wasKnown))
        try members.add("results", added.map { SearchResult($0.prospect) })
        let withoutCode = empty.map { Skipped(file: $0, reason: Self.emptyReason, text: nil) }
        try members.add("skipped", refused + withoutCode)
    }
}

/// A scan that collects the badges from pictures one by one, then adds the prospects together.
public struct BadgeScan: Sendable {
    private let reader = BadgeReader()
    private var badges: [(file: String, badge: Badge)] = []
    private var report = ScanReport()

    /// Creates an empty scan.
    public init() {}

    /// Reads the badges in a picture.
    ///
    /// - Parameters:
    ///   - file: The bytes of a PNG, JPEG, HEIC, WebP or GIF file.
    ///   - name: The name for the report.
    ///   - isCancelled: Polled about twenty times a second.
    /// - Throws: `BadgeReadingError` if no picture can be read at all, `CancellationError`. Errors in this picture are
    ///   added to the report.
    public mutating func read(
        _ file: [UInt8], named name: String, isCancelled: @escaping () -> Bool = { false }
    ) throws {
        let codes: [ScannedCode]
        do {
            codes = try reader.read(file, isCancelled: isCancelled)
        } catch let error as BadgeReadingError where error.category != .unavailable {
            report.refused.append(ScanReport.Skipped(file: name, reason: error.message, text: nil))
            return
        }
        if codes.isEmpty { report.empty.append(name) }
        for badge in codes.flatMap(\.badges) {
            switch badge {
            case .success(let badge): badges.append((name, badge))
            case .failure(let refusal):
                report.refused.append(ScanReport.Skipped(file: name, reason: refusal.message, text: refusal.text))
            }
        }
    }

    /// Adds the prospects of all badges, in one transaction. A badge that cannot be stored, such as one with too long a
    /// name, is skipped.
    ///
    /// - Parameters:
    ///   - switchboard: The switchboard to add them to.
    ///   - met: The place of the meeting; empty if unknown.
    /// - Throws: `StorageError`. On error nothing is added.
    public func finish(into switchboard: Switchboard, met: String = "") throws -> ScanReport {
        var report = report
        let results = try switchboard.prospects.addEach(badges.map { Prospect($0.badge, met: met) })
        for ((file, badge), result) in zip(badges, results) {
            switch result {
            case .success(let added): report.added.append(added)
            case .failure(let error):
                report.refused.append(ScanReport.Skipped(file: file, reason: error.message, text: badge.summary))
            }
        }
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
    /// The beginning of the name or another field, to recognize a badge that is not stored.
    fileprivate var summary: String {
        let text = [name, email, phone, organization].first { !$0.isEmpty } ?? ""
        return text.count > 60 ? text.prefix(60) + "…" : text
    }

    /// Creates the user's own badge.
    public init(_ me: MyDetails) {
        self.init(
            name: me.name, email: me.email, phone: me.phone, organization: me.organization, title: me.title, url: me.url
        )
    }
}

extension Switchboard {
    /// Sets a reminder to contact a prospect, replacing a pending one.
    ///
    /// - Parameters:
    ///   - id: The identifier of the prospect.
    ///   - time: The time of the reminder.
    ///   - timeZone: The time zone for times of day; nil for this machine's time zone.
    /// - Throws: ``SwitchboardError`` if the prospect was contacted, `ProspectsError`, `RemindersError`, and
    ///   `StorageError`, also thrown if notifications are not granted.
    public func remind(
        of id: String, at time: ReminderTime = .nextNine, in timeZone: TimeZone? = nil
    ) throws -> Reminders.Scheduled {
        let prospect = try prospects.prospect(id)
        guard !prospect.isContacted else {
            throw SwitchboardError(
                code: "contacted", message: "\(prospect.displayName) was already contacted", status: .usage)
        }
        let text = prospect.reminderText
        let reminders = Reminders(storage: try storage, timeZone: timeZone ?? .current)
        return try reminders.schedule(id, name: text.name, title: text.title, body: text.body, at: time)
    }

    /// Returns a runner that marks the prospect as contacted if the user chooses "Contacted".
    public func reminderRunner(delivery: ReminderDelivery) throws -> ReminderRunner {
        ReminderRunner(reminders: try reminders, delivery: delivery) { reminder in
            try self.setContacted([reminder.subject])
        }
    }

    /// Updates the pending reminder of a prospect with the prospect's current details.
    func retitleReminder(of prospect: Prospect) throws {
        let text = prospect.reminderText
        try reminders.retitle(prospect.id, name: text.name, title: text.title, body: text.body)
    }
}

extension Prospect {
    fileprivate var reminderText: (name: String, title: String, body: String) {
        (displayName, "Contact \(displayName)", email.isEmpty ? phone : email)
    }
}

/// The JSON representation of a prospect's reminder:
/// `{"id", "prospect", "name", "title", "body", "dueAt", "timeZone", "state", "late"}`, `deliveredAt` and `failure` if
/// present, and `"overdue": true` from the due time until the user acts on it.
public struct ReminderResponse: Encodable, Sendable {
    private let id, prospect, name, title, body, dueAt, timeZone, state: String
    private let late: Bool
    private let overdue: Bool?
    private let deliveredAt, failure: String?

    /// Creates the response for a reminder.
    public init(_ reminder: Reminder) {
        id = reminder.id
        prospect = reminder.subject
        name = reminder.name
        title = reminder.title
        body = reminder.body
        dueAt = reminder.dueAt.formatted(.iso8601)
        timeZone = reminder.timeZone.identifier
        state = reminder.state.rawValue
        late = reminder.isLate
        overdue = reminder.isOverdue(at: Date()) ? true : nil
        deliveredAt = reminder.deliveredAt?.formatted(.iso8601)
        failure = reminder.failure.isEmpty ? nil : reminder.failure
    }
}
