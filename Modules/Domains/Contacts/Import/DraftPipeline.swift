import SwitchboardStorage
import SwitchboardVCard

/// The contacts of a source, read and understood on other threads, ahead of the one that stores them.
///
/// A draft that is malformed is a fault among the others; what the source throws ends the reading.
enum DraftPipeline {
    /// What a draft became.
    typealias Outcome = Result<ImportedRecord, MalformedInput>

    private static let batchSize = 512
    private static let batchBytes = 4 << 20

    /// Begins to read.
    static func reading(_ source: ImportSource, region: String?) -> BatchPipeline<Outcome> {
        BatchPipeline(
            reading: {
                var reader = try DraftReader(source)
                return { try readBatch(&reader) }
            },
            preparing: { draft in
                draft.flatMap { draft -> Outcome in
                    do {
                        return .success(try draft.record(region: region))
                    } catch let fault as MalformedInput {
                        return .failure(fault)
                    } catch {
                        return .failure(MalformedInput(line: 1, reason: String(describing: error)))
                    }
                }
            })
    }

    private static func readBatch(_ reader: inout DraftReader) throws -> [Result<DraftReader.Draft, MalformedInput>] {
        var batch: [Result<DraftReader.Draft, MalformedInput>] = []
        var bytes = 0
        while batch.count < batchSize, bytes < batchBytes {
            do {
                guard let draft = try reader.next() else { break }
                bytes += draft.size
                batch.append(.success(draft))
            } catch let fault as MalformedInput {
                batch.append(.failure(fault))
            }
        }
        return batch
    }
}
