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
    let ids: View<Int64>
    let ranks: View<UInt64>

    /// Opens a block of bytes. With `verifyingChecksum` every byte is read once; without, only header and directory
    /// are.
    public init(_ bytes: IndexBytes, verifyingChecksum: Bool = true) throws(IndexFormatError) {
        let directory = try SectionDirectory(bytes, verifyingChecksum: verifyingChecksum)
        self.bytes = bytes
        generation = directory.generation
        fingerprint = directory.fingerprint
        recordCount = directory.recordCount
        ids = try directory.view(.recordIDs)
        ranks = try directory.view(.recordRanks)
        guard ids.count == recordCount, ranks.count == recordCount else {
            throw .section(SectionTag.recordIDs.rawValue)
        }
        var lanes: [Lane] = []
        for lane in 0..<directory.laneCount {
            lanes.append(try Lane(directory, lane: lane))
        }
        self.lanes = lanes
    }

    /// The caller's identifier of a record number.
    public func id(of record: Int) -> Int64 { ids[record] }

    /// The rank a record was given; smaller is better.
    public func rank(of record: Int) -> UInt64 { ranks[record] }

    /// The best records, whatever they hold, as an empty query finds them; 0 is all. Nothing of them matches.
    public func best(_ limit: Int) -> [LookupHit] {
        (0..<(limit == 0 ? recordCount : Swift.min(limit, recordCount))).map { record in
            LookupHit(record: record, id: ids[record], tier: 0, lane: 0, kind: .prefix, edits: 0, matches: [])
        }
    }
}
