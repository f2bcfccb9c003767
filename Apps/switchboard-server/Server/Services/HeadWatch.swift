import Foundation
import SwitchboardCluster
import Synchronization

/// Detects changes to journals by any server, with one query for all watched journals.
final class HeadWatch: Sendable {
    private struct Watched {
        var sequence: Int64?
        var streams: [UUID: AsyncStream<Void>.Continuation] = [:]
    }

    private let journals: PostgresJournals
    private let watched = Mutex<[String: Watched]>([:])

    private static let interval = Duration.milliseconds(250)

    init(_ journals: PostgresJournals) { self.journals = journals }

    /// Returns a stream with an initial element and one for each detected change to a journal.
    func changes(of name: String) -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            watched.withLock { $0[name, default: Watched()].streams[id] = continuation }
            continuation.yield()
            continuation.onTermination = { _ in
                self.watched.withLock { watched in
                    watched[name]?.streams[id] = nil
                    if watched[name]?.streams.isEmpty ?? false { watched[name] = nil }
                }
            }
        }
    }

    /// Adds an element to the streams of a journal.
    func notify(_ name: String) {
        for stream in watched.withLock({ $0[name].map { Array($0.streams.values) } ?? [] }) { stream.yield() }
    }

    /// Checks for changes until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await WorkLane.background.run { try check() }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func check() throws {
        let names = watched.withLock { Array($0.keys) }
        if names.isEmpty { return }
        let sequences = try journals.sequences(of: names)
        watched.withLock { watched in
            for (name, sequence) in sequences where watched[name].map({ $0.sequence != sequence }) ?? false {
                watched[name]?.sequence = sequence
                for stream in (watched[name]?.streams ?? [:]).values { stream.yield() }
            }
        }
    }
}
