import Foundation
import SwitchboardBadges
import SwitchboardKit
import SwitchboardProspects
import Testing

@Suite("Scanning badges")
struct BadgeScanTests {
    private let switchboard = Switchboard(
        Settings(
            database: FileManager.default.temporaryDirectory.appending(path: "scan-" + UUID().uuidString).path
                + "/people.sqlite", region: "GB"))

    private func scan(_ payloads: [(file: String, payload: String)]) throws -> ScanReport {
        var scan = BadgeScan()
        for (file, payload) in payloads { try scan.read(QRCode(payload).png(moduleSize: 3), named: file) }
        return try scan.finish(into: switchboard)
    }

    private static let long = String(repeating: "Theodora ", count: 120)

    /// Badges that cannot be stored, and the beginnings of the reasons.
    static let unfit = [
        ("BEGIN:VCARD\nVERSION:3.0\nFN:\(long)\nEMAIL:max@long.example\nEND:VCARD", "name: longer than"),
        ("MECARD:N:Max;ORG:\(long);;", "organization: longer than"),
        ("MECARD:N:Max;TEL:\(String(repeating: "12345 ", count: 200));;", "phone: longer than"),
        ("MECARD:N:Max;EMAIL:\(String(repeating: "a", count: 1_100))@long.example;;", "email: longer than"),
    ]

    @Test(
        "A badge that cannot be stored is skipped with its file and the reason, and the others are added",
        arguments: unfit)
    func skipped(_ payload: String, _ reason: String) throws {
        let report = try scan([
            ("good.png", "Uta Adler\nuta@adler.example"), ("bad.png", payload), ("last.png", "ana@example.org"),
        ])
        #expect(report.added.map(\.prospect.email) == ["uta@adler.example", "ana@example.org"])
        #expect(report.refused.map(\.file) == ["bad.png"] && report.status == .malformed)
        #expect(report.refused.first?.reason.hasPrefix(reason) == true, "\(report.refused)")
        #expect(try switchboard.prospects.count() == 2)
    }

    @Test("Two vCards in one code are two prospects")
    func twoCards() throws {
        let cards = ["Ana Li", "Bo Ek"].map { "BEGIN:VCARD\nVERSION:3.0\nFN:\($0)\nEND:VCARD\n" }.joined()
        let report = try scan([("both.png", cards)])
        #expect(report.added.map(\.prospect.name) == ["Ana Li", "Bo Ek"] && report.status == .done)
    }
}
