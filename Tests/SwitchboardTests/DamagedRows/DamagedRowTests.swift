import ContactBook
import Foundation
import Storage
import SwitchboardTesting
import Testing

@testable import Switchboard

/// For every column of every table, and whatever damage may have left there: what reads it answers, or says that the file is damaged.
/// A trap would end the tests.
@Suite("Damaged rows") struct DamagedRowTests {
    /// What stands in a column instead of its value, as SQL.
    static let damages = [
        "NULL", "'no number'", "CAST(x'4aff80fe' AS TEXT)", "x'00ff80'", "x''", "9223372036854775807",
        "-9223372036854775808", "-1", "9e999", "-1e300", "0.5",
    ]

    /// Columns that must have a value and that nothing asks for it: written for people who look into the file, compared with, or counted.
    static let unread: Set<String> = [
    ]

    static let sample = Result { try DamageSample() }

    @Test("A value that cannot be is told as damage", arguments: DamageSample.tables)
    func rows(of table: String) throws {
        let sample = try Self.sample.get()
        let database = try LooseDatabase(copyOf: sample.path)
        let switchboard = Switchboard(Settings(database: database.path, region: "GB", endsSoon: true))
        let storage = try switchboard.storage
        let calls = sample.calls(of: table)
        for column in try LooseDatabase.columns(of: sample.path) where column.table == table {
            for value in Self.damages {
                var complaints: [String] = []
                let damage = "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(value)"
                let isDamaged = try storage.damaging(damage) {
                    for call in calls {
                        guard let error = storage.error(of: { try call.run(switchboard) }) else { continue }
                        let fault = Fault(error)
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
