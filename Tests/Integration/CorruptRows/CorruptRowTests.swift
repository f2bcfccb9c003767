import Foundation
import SwitchboardContacts
import SwitchboardStorage
import SwitchboardTesting
import Testing

@testable import SwitchboardKit

/// Corrupts every column of every table: all calls succeed or report corruption. A trap would end the test process.
@Suite("Corrupt rows") struct CorruptRowTests {
    /// The corrupt values, as SQL.
    static let damages = [
        "'no number'", "CAST(x'4aff80fe' AS TEXT)", "x'00ff80'", "9223372036854775807", "-9223372036854775808", "-1",
        "9e999", "-1e300",
    ]

    /// Returns NULL and one of the values for each column, or all of them, which takes minutes, if `DAMAGE=all`.
    static func damages(ofColumn number: Int) -> [String] {
        if ProcessInfo.processInfo.environment["DAMAGE"] == "all" { return ["NULL"] + damages }
        return ["NULL", damages[number % damages.count]]
    }

    /// Required columns whose absence is not noticed: SQLite refuses NULL in the key of a table without row IDs
    /// regardless of the schema; others are only compared, sorted by, or written for people who inspect the file.
    static let unread: Set<String> = [
        "activity.expiresAt", "airports_place.setAt", "airports_popularMade.generatedAt", "airports_recent.chosenAt",
        "airports_recent.code", "airports_recent.turn", "contact_change.contact", "contact_change.generation",
        "contact_different.first", "contact_different.second", "contact_imported.import", "contact_detail.contact",
        "contact_detail.position", "contact_email.contact", "contact_email.identity",
        "contact_card.contact", "contact_card.number", "contact_email.position", "contact_file.folder",
        "contact_file_announced.folder", "contact_group_card.card",
        "contact_group_member.card",
        "contact_group_member.member",
        "contact_merge.contact",
        "contact_phone.contact", "contact_phone.position", "contact_removed.id", "contact_removed.removedAt",
        "contact_stranger.member", "contact_stranger.name",
        "contact_unfollowed.contact", "item.indexKey", "item_attribute.indexKey", "item_attribute.key",
        "item_change.generation", "item_change.indexKey", "item_change.item", "item_engagement.engagedAt",
        "item_engagement.item", "item_engagement.query", "item_expired.indexKey", "item_owner.domain",
        "item_indexed.attribute", "item_indexed.indexKey", "item_owner.indexKey", "item_synonym.folded",
        "item_synonym.indexKey", "item_value.attribute", "item_value.item", "item_value.value",
        "item_text.text",
        "keypad_learning.isOn", "keypad_learning.turn", "keypad_pair.keys", "keypad_pair.language",
        "keypad_pair.previous", "keypad_pair.text", "keypad_pair.turn", "keypad_pair.uses", "keypad_word.keys",
        "keypad_word.language", "keypad_word.text", "keypad_word.turn", "keypad_word.uses", "prospect.emailKey",
        "prospect.metAt", "prospect.phoneKey", "prospect.sortKey", "prospect_change.generation",
        "prospect_change.prospect", "prospect_me.field", "prospect_meeting.position", "prospect_meeting.prospect",
        "reminder_delivery.attempts", "reminder_delivery.channel", "reminder_delivery.nextTryAt",
        "reminder_delivery.reminder", "reminder_task.reminder", "public_vote.expiresAt", "public_vote.target",
        "public_vote.voter",
        "public_withdrawal.target",
        "search_choice.kind", "search_choice.object", "search_choice.query", "search_learning.isOn",
        "storage_access.changedAt", "storage_access.status",
        "storage_access.subject", "storage_change.changedAt", "storage_change.module", "storage_change.number",
        "storage_change.object",
        "storage_change_position.module",
        "storage_generation.generation", "storage_generation.module",
        "storage_migration.appliedAt", "storage_migration.module", "storage_migration.name",
    ]

    static let sample = Result { try CorruptionSample() }
    /// Read once, before the first copy: opening and closing a file locks it briefly.
    static let columns = Result { try UnconstrainedDatabase.columns(of: sample.get().path) }

    @Test("An invalid value is reported as corruption", arguments: CorruptionSample.tables)
    func rows(of table: String) throws {
        let sample = try Self.sample.get()
        let columns = try Self.columns.get()
        let database = try UnconstrainedDatabase(copyOf: sample.path)
        let switchboard = Switchboard(Settings(database: database.path, region: "GB", isShortLived: true))
        let storage = try switchboard.storage
        let calls = sample.calls(of: table)
        var tried = 0
        for (number, column) in columns.enumerated() where column.table == table {
            // The key of a row is an integer, and the largest one leaves no room for further rows.
            for value in Self.damages(ofColumn: number) where column.name != "key" || !value.hasPrefix("9") {
                tried += 1
                var complaints: [String] = []
                let damage = "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)"
                let isDamaged = try storage.damaging(damage, number: tried) {
                    for call in calls {
                        guard let error = storage.error(of: { try call.run(switchboard) }) else { continue }
                        let reported = SwitchboardError(error)
                        #expect(
                            reported.status != .internalError && !reported.message.isEmpty
                                && !reported.message.contains("\n"),
                            "\(column) = \(value), \(call.name): \(error)")
                        if case .damaged(let path, let detail)? = error as? StorageError {
                            #expect(path == storage.path && !detail.isEmpty)
                            #expect(reported.status == .malformed && reported.message.contains("is corrupt"))
                            complaints.append(call.name)
                        }
                    }
                }
                if isDamaged, value == "NULL", column.isRequired {
                    #expect(
                        complaints.isEmpty == Self.unread.contains(column.description),
                        "\(column) = NULL: \(complaints.isEmpty ? "not reported" : "\(complaints)")")
                }
            }
        }
    }
}
