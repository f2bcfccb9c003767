/// A finished index: opened over a block of bytes in O(number of sections), searched by any number of threads at once.
public final class LookupIndex: Sendable {
    /// The bytes it lives in, as they would be written to a file.
    public let bytes: IndexBytes
    /// The generation of the data it was built from, as given to the builder.
    public let generation: UInt64
    /// What the owner gave the builder to tell indexes of other rules apart, for example the version of its folding.
    public let fingerprint: UInt64
    /// How many records it holds.
    public let recordCount: Int
    let lanes: [Lane]
    private let ids: PackedView<UInt64>
    /// Empty if each record's rank is its number.
    let ranks: PackedView<UInt64>
    private let recordsByID: PackedView<UInt32>
    let checks: SectionChecks

    /// When the checksums of an index are verified.
    public enum Verification: Sendable {
        /// At once: every byte is read, and no search can fail.
        case now
        /// Those of a section before a search uses it for the first time: opening reads only header and directory, and a search throws
        /// ``IndexFormatError/checksum`` if it would use a damaged section.
        case whenUsed
    }

    /// Opens a block of bytes.
    public convenience init(_ bytes: IndexBytes, verifying: Verification = .now) throws(IndexFormatError) {
        try self.init(bytes)
        if verifying == .now { try verify() }
    }

    /// Opens a block of bytes that were just made.
    convenience init(trusting bytes: IndexBytes) throws(IndexFormatError) {
        try self.init(bytes)
        checks.trust()
        for lane in lanes { lane.checks.trust() }
    }

    /// Verifies all checksums that were not verified before. O(bytes).
    ///
    /// - Throws: ``IndexFormatError/checksum``.
    public func verify() throws(IndexFormatError) {
        try checks.verify(.all)
        for lane in lanes { try lane.checks.verify(.all) }
    }

    private init(_ bytes: IndexBytes) throws(IndexFormatError) {
        let directory = try SectionDirectory(bytes)
        self.bytes = bytes
        checks = directory.checks(lane: nil)
        generation = directory.generation
        fingerprint = directory.fingerprint
        recordCount = directory.recordCount
        ids = try directory.packed(.recordIDs, of: UInt64.self)
        ranks = try directory.packed(.recordRanks, of: UInt64.self)
        recordsByID = try directory.packed(.recordsByID)
        guard ids.count == recordCount, ranks.count == recordCount || ranks.count == 0, recordsByID.count == recordCount
        else {
            throw .section(SectionTag.recordIDs.rawValue)
        }
        var lanes: [Lane] = []
        for lane in 0..<directory.laneCount {
            lanes.append(try Lane(directory, lane: lane))
        }
        self.lanes = lanes
    }

    /// The caller's identifier of a record number.
    public func id(of record: Int) -> Int64 { Int64(bitPattern: ids[record]) }

    /// The number of the record with an identifier, or nil. O(log records).
    ///
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified when used, and damaged.
    public func record(ofID id: Int64) throws(IndexFormatError) -> Int? {
        try checks.verify([.base, .identifiers])
        var low = 0
        var high = recordCount
        while low < high {
            let middle = (low + high) / 2
            if self.id(of: Int(recordsByID[middle])) < id { low = middle + 1 } else { high = middle }
        }
        guard low < recordCount, self.id(of: Int(recordsByID[low])) == id else { return nil }
        return Int(recordsByID[low])
    }

    /// The rank a record was given; smaller is better.
    public func rank(of record: Int) -> UInt64 { ranks.count == 0 ? UInt64(record) : ranks[record] }

    /// The best records, whatever they hold, as an empty query finds them; 0 is all. Nothing of them matches.
    ///
    /// - Throws: ``IndexFormatError/checksum`` if the index is verified when used, and damaged.
    public func best(
        _ limit: Int, excluding excluded: RecordSet = RecordSet()
    ) throws(IndexFormatError) -> [LookupHit] {
        try checks.verify(.base)
        var hits: [LookupHit] = []
        for record in 0..<recordCount where !excluded.contains(record) {
            if limit != 0 && hits.count == limit { break }
            hits.append(
                LookupHit(
                    record: record, id: id(of: record), tier: 0, lane: 0, kind: .prefix, edits: 0, grade: 0, matches: []
                ))
        }
        return hits
    }
}
