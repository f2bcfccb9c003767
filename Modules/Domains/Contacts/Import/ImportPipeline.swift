import SwitchboardStorage

/// Reads and interprets the records of a source on other threads, ahead of the thread that stores them.
///
/// A malformed record yields an error result; an error of the source ends the pipeline.
enum ImportPipeline {
    typealias Outcome = Result<ImportedRecord, MalformedInput>
    private typealias RawOutcome = Result<RecordReader.RawRecord, MalformedInput>

    private static let batchSize = 512
    private static let batchBytes = 4 << 20

    static func reading(_ source: ImportSource, region: String?) -> BatchPipeline<Outcome> {
        BatchPipeline(
            reading: {
                var reader = try RecordReader(source)
                return { try readBatch(&reader) }
            },
            preparing: { result in
                result.flatMap { record in
                    Result { () throws(MalformedInput) in try record.interpreted(region: region) }
                }
            })
    }

    private static func readBatch(_ reader: inout RecordReader) throws -> [RawOutcome] {
        var batch: [RawOutcome] = []
        var bytes = 0
        while batch.count < batchSize, bytes < batchBytes {
            do {
                guard let record = try reader.next() else { break }
                bytes += record.size
                batch.append(.success(record))
            } catch let error as MalformedInput {
                batch.append(.failure(error))
            }
        }
        return batch
    }
}
