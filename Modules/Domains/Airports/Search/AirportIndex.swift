import Dispatch
import SwitchboardSearchEngine
import SwitchboardStorage

/// An index of airports, with what its numbers stand for.
final class AirportIndex: Sendable {
    let lookup: SearchIndex
    let subjects: SubjectList

    init(lookup: SearchIndex, subjects: SubjectList) {
        self.lookup = lookup
        self.subjects = subjects
    }

    /// Opens the index from its file, or builds it and writes the file.
    ///
    /// A file that is missing, torn or of other data is made anew; that it cannot be written is no error, since the index answers
    /// without it. Opening reads every byte once for the checksum; building takes some tenths of a second.
    static func open(_ subjects: SubjectList, file: DerivedFile?) throws -> AirportIndex {
        let fingerprint = subjects.fingerprint
        if let file, let mapped = file.map() {
            let bytes = IndexBytes(mapped.bytes) { MappedFile.unmap($0) }
            if let lookup = try? SearchIndex(bytes), lookup.fingerprint == fingerprint {
                return AirportIndex(lookup: lookup, subjects: subjects)
            }
        }
        let lookup = try build(subjects, fingerprint: fingerprint)
        lookup.bytes.withUnsafeBytes { bytes in try? file?.replace(with: bytes) }
        return AirportIndex(lookup: lookup, subjects: subjects)
    }

    /// Folds the names on all processors, then puts them into the index in order.
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
