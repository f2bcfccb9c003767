import SwitchboardContacts
import Foundation
import SwitchboardStorage
import SwitchboardTesting
import Testing

@testable import SwitchboardKit

/// For every column of every table, and whatever damage may have left there: what reads it answers, or says that the file is damaged.
/// A trap would end the tests.
@Suite("Damaged rows") struct CorruptRowTests {
    /// What stands in a column instead of its value, as SQL.
    static let damages = [
        "'no number'", "CAST(x'4aff80fe' AS TEXT)", "x'00ff80'", "9223372036854775807", "-9223372036854775808", "-1",
        "9e999", "-1e300",
    ]

    /// Each column is tried without a value and with one of the others; with all of them, which takes minutes, if `DAMAGE=all`.
    static func damages(ofColumn number: Int) -> [String] {
        if ProcessInfo.processInfo.environment["DAMAGE"] == "all" { return ["NULL"] + damages }
        return ["NULL", damages[number % damages.count]]
    }

    /// Columns that must have a value and that nobody misses it in: SQLite refuses NULL in the key of a table without row numbers
    /// whatever the schema says; others are only compared with and sorted by, or written for people who look into the file.
    static let unread: Set<String> = [
        "activity.expiresAt", "airports_place.setAt", "airports_popularMade.generatedAt", "airports_recent.chosenAt",
        "airports_recent.code", "airports_recent.turn", "contact_change.contact", "contact_change.generation",
        "contact_detail.contact", "contact_detail.position", "contact_email.contact", "contact_email.identity",
        "contact_email.position", "contact_file.folder", "contact_file_announced.folder", "contact_merge.contact",
        "contact_phone.contact",
        "contact_phone.identity", "contact_phone.position", "contact_stranger.member", "contact_stranger.name",
        "contact_unfollowed.contact", "item.indexKey", "item_attribute.indexKey", "item_attribute.key",
        "item_change.generation", "item_change.indexKey", "item_change.item", "item_engagement.engagedAt",
        "item_engagement.item", "item_engagement.query", "item_expired.indexKey", "item_text.text",
        "keypad_learning.isOn", "keypad_learning.turn", "keypad_pair.keys", "keypad_pair.language",
        "keypad_pair.previous", "keypad_pair.text", "keypad_pair.turn", "keypad_pair.uses", "keypad_word.keys",
        "keypad_word.language", "keypad_word.text", "keypad_word.turn", "keypad_word.uses", "prospect.emailKey",
        "prospect.metAt", "prospect.phoneKey", "prospect.sortKey", "prospect_change.generation",
        "prospect_change.prospect", "prospect_me.field", "prospect_meeting.position", "prospect_meeting.prospect",
        "public_vote.expiresAt", "public_vote.target", "public_vote.voter", "public_withdrawal.target",
        "reminder.attempts", "reminder.nextTryAt", "storage_access.changedAt", "storage_access.status",
        "storage_access.subject", "storage_generation.generation", "storage_generation.module",
        "storage_migration.appliedAt", "storage_migration.module", "storage_migration.name",
    ]

    static let sample = Result { try CorruptionSample() }
    /// Read once, before the first copy is made: who opens and closes a file locks others out for a moment.
    static let columns = Result { try UnconstrainedDatabase.columns(of: sample.get().path) }

    @Test("A value that cannot be is told as damage", arguments: CorruptionSample.tables)
    func rows(of table: String) throws {
        let sample = try Self.sample.get()
        let columns = try Self.columns.get()
        let database = try UnconstrainedDatabase(copyOf: sample.path)
        let switchboard = Switchboard(Settings(database: database.path, region: "GB", endsSoon: true))
        let storage = try switchboard.storage
        let calls = sample.calls(of: table)
        var tried = 0
        for (number, column) in columns.enumerated() where column.table == table {
            // The key of a row is a whole number, and the largest one leaves no room for further rows.
            for value in Self.damages(ofColumn: number) where column.name != "key" || !value.hasPrefix("9") {
                tried += 1
                var complaints: [String] = []
                let damage = "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)"
                let isDamaged = try storage.damaging(damage, number: tried) {
                    for call in calls {
                        guard let error = storage.error(of: { try call.run(switchboard) }) else { continue }
                        let fault = SwitchboardError(error)
                        #expect(
                            fault.status != .internalError && !fault.message.isEmpty && !fault.message.contains("\n"),
                            "\(column) = \(value), \(call.name): \(error)")
                        if case .damaged(let path, let detail)? = error as? StorageError {
                            #expect(path == storage.path && !detail.isEmpty)
                            #expect(fault.status == .malformed && fault.message.contains("database restore"))
                            complaints.append(call.name)
                        }
                    }
                }
                if isDamaged, value == "NULL", column.isRequired {
                    #expect(
                        complaints.isEmpty == Self.unread.contains(column.description),
                        "\(column) = NULL: \(complaints.isEmpty ? "nobody complains" : "\(complaints)")")
                }
            }
        }
    }
}
