import Dispatch
import SwitchboardSearchEngine
import SwitchboardStorage

/// A search index of airports together with the subjects that its documents stand for.
final class AirportIndex: Sendable {
    let searchIndex: SearchIndex
    let subjects: SubjectList

    init(searchIndex: SearchIndex, subjects: SubjectList) {
        self.searchIndex = searchIndex
        self.subjects = subjects
    }

    /// Opens the index from its file, or builds it and writes the file.
    ///
    /// A missing, corrupt or outdated file is rebuilt. Failure to write it is ignored, since the index works in memory.
    /// Opening reads every byte once for the checksum; building takes some tenths of a second.
    static func open(_ subjects: SubjectList, file: DerivedFile?) throws -> AirportIndex {
        let fingerprint = subjects.fingerprint
        if let file, let mapped = file.map() {
            let bytes = IndexBytes(mapped.bytes) { MappedFile.unmap($0) }
            if let searchIndex = try? SearchIndex(bytes), searchIndex.fingerprint == fingerprint {
                return AirportIndex(searchIndex: searchIndex, subjects: subjects)
            }
        }
        let searchIndex = try build(subjects, fingerprint: fingerprint)
        searchIndex.bytes.withUnsafeBytes { bytes in try? file?.replace(with: bytes) }
        return AirportIndex(searchIndex: searchIndex, subjects: subjects)
    }

    /// Folds the names on all processors, then adds them to the index in order.
    private static func build(_ subjects: SubjectList, fingerprint: UInt64) throws -> SearchIndex {
        let all = subjects.all
        let share = 256
        let entries = PartialResults<[AirportIndexBuilder.Entry]>(count: (all.count + share - 1) / share)
        DispatchQueue.concurrentPerform(iterations: entries.count) { number in
            let part = all[number * share..<min((number + 1) * share, all.count)]
            var folded = FoldedNames()
            entries.set(number, part.compactMap { subjects.entry(of: $0, &folded) })
        }
        var builder = AirportIndexBuilder(isPopular: subjects.extent == .popular)
        for number in 0..<entries.count {
            for entry in entries.take(number) ?? [] { builder.add(entry) }
        }
        return try builder.build(fingerprint: fingerprint)
    }
}
