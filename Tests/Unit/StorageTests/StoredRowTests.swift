import Foundation
import GRDB
import SwitchboardStorage
import SwitchboardTestSupport
import Testing

@Suite struct StoredRowTests {
    static let values = """
        NULL, 0, 1, -1, 127, 128, -9007199254740993, 1152921504606846975, 0.5, -1e300, '', 'Jogo', 'Łukasz 🎷',
        '\(String(repeating: "x", count: 300))'
        """
    static let count = 14

    static func written() throws -> [UInt8] {
        let storage = try Storage.inMemory(migrations: [])
        return try storage.read { db in
            var writer = RowWriter()
            let row = try #require(try Row.fetchOne(db, sql: "SELECT \(values)"))
            try writer.write(row, columns: count)
            writer.write(count: 2)
            writer.write([7, 8, 9])
            return writer.bytes
        }
    }

    @Test func columnsHaveTheValuesOfTheRow() throws {
        var reader = RowReader(try Self.written())
        let first = reader.rows(1, columns: Self.count)
        let row = reader.row(at: try #require(first), columns: Self.count)
        #expect(try row.optionalText(0) == nil && row.optionalReal(0) == nil && row.optionalTime(0) == nil)
        let integers = try (1...7).map { try row.integer($0) }
        #expect(integers == [0, 1, -1, 127, 128, -9_007_199_254_740_993, 1_152_921_504_606_846_975])
        #expect(try row.optionalReal(8) == 0.5 && row.optionalReal(9) == -1e300 && row.optionalReal(4) == 127)
        #expect(try row.flag(2) && !row.flag(1))
        let texts = try (10...13).map { try row.text($0) }
        #expect(texts == ["", "Jogo", "Łukasz 🎷", String(repeating: "x", count: 300)])
        let rest = (reader.count(), reader.data(), reader.data())
        #expect(rest.0 == 2 && rest.1 == [7, 8, 9] && rest.2 == nil)
    }

    @Test func anotherTypeIsReported() throws {
        var reader = RowReader(try Self.written())
        let first = reader.rows(1, columns: Self.count)
        let row = reader.row(at: try #require(first), columns: Self.count)
        #expect(throws: DatabaseError.self) { try row.integer(0) }
        #expect(throws: DatabaseError.self) { try row.text(0) }
        #expect(throws: DatabaseError.self) { try row.text(1) }
        #expect(throws: DatabaseError.self) { try row.optionalReal(11) }
        #expect(throws: DatabaseError.self) { try row.optionalTime(9) }
        for column in [-1, Self.count] { #expect(throws: DatabaseError.self) { try row.optionalText(column) } }
    }

    @Test func corruptBytesNeverTrap() throws {
        let intact = try Self.written()
        var random = SplitMix(seed: 3)
        for round in 0..<2_000 {
            var bytes = intact
            for _ in 0...(round % 4) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            var reader = RowReader(bytes)
            if let first = reader.rows(1, columns: Self.count) {
                let row = reader.row(at: first, columns: Self.count)
                for column in 0..<Self.count {
                    _ = try? row.optionalText(column)
                    _ = try? row.integer(column)
                    _ = try? row.optionalTime(column)
                }
            }
            _ = reader.count()
            _ = reader.data()
        }
    }
}
