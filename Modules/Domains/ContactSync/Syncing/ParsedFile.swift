import Foundation
import SwitchboardAlgorithms
import SwitchboardContacts
import SwitchboardStorage

/// A card file that was read and parsed, on any thread.
struct ParsedFile: Sendable {
    let name: String
    let stamp: FileStamp
    let hash: UInt64
    let canonical: CanonicalCard
    let identifier: String
    let prepared: PreparedContact

    init(_ name: String, _ file: CardFile, _ stamp: FileStamp) {
        self.name = name
        self.stamp = stamp
        hash = StableHash.of(file.bytes)
        canonical = file.canonical
        identifier = file.identifier
        prepared = PreparedContact(file.contact)
    }

    var contact: Contact { prepared.contact }

    /// Returns the state to store for the file.
    ///
    /// - Parameter contactModifiedAt: The modification time of the contact; nil if the file must be written.
    func tracked(for contact: Contact, agreesAt contactModifiedAt: Date?) -> TrackedFile {
        TrackedFile(
            name: name, contact: contact.id, stamp: stamp.reliable, hash: hash, base: canonical.fingerprints,
            identifier: identifier, contactModifiedAt: contactModifiedAt?.timeIntervalSince1970)
    }
}

enum ReadOutcome: Sendable {
    case parsed(ParsedFile)
    /// A syntax error or a failed system call.
    case failed(name: String, MalformedInput, isMalformed: Bool)
    /// The file is gone or being written. The next sync handles it.
    case unsettled(name: String)

    /// Returns a pipeline that reads cards on other threads, ahead of the caller.
    static func pipeline(
        _ names: [String], reading: @escaping CardStore.Reading, region: String?
    ) -> BatchPipeline<ReadOutcome> {
        BatchPipeline(
            reading: {
                var rest = names[...]
                return {
                    let batch = Array(rest.prefix(256))
                    rest = rest.dropFirst(256)
                    return batch
                }
            },
            preparing: { name in outcome(of: name, reading: reading, region: region) })
    }

    static func outcome(of name: String, reading: CardStore.Reading, region: String?) -> ReadOutcome {
        do {
            let (bytes, stamp) = try reading(name)
            return .parsed(ParsedFile(name, try CardFile(bytes, region: region), stamp))
        } catch let error as MalformedInput {
            return .failed(name: name, error, isMalformed: true)
        } catch FolderFile.Failure.refused(let reason) {
            return .failed(name: name, MalformedInput(line: 1, reason: reason), isMalformed: false)
        } catch is FolderFile.Failure {
            return .unsettled(name: name)
        } catch {
            return .failed(name: name, MalformedInput(line: 1, reason: String(describing: error)), isMalformed: true)
        }
    }
}
