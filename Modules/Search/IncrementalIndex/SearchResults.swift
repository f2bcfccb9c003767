import Foundation
public import SwitchboardSearchEngine
import Synchronization

/// The results of a search.
public struct SearchResults<Hit: Sendable>: Sendable {
    /// The hits, best first.
    public var hits: [Hit]
    /// The duration of the search: normalizing the query, matching and ranking, without opening the index or reading
    /// the objects.
    public var searchTime: Duration
    /// Indicates that a longer search, such as one on a server, would find nothing more.
    public var isFinal: Bool

    /// Creates results.
    public init(hits: [Hit], searchTime: Duration, isFinal: Bool = true) {
        self.hits = hits
        self.searchTime = searchTime
        self.isFinal = isFinal
    }
}

extension SearchResults: Equatable where Hit: Equatable {}

/// Runs blocking work, such as a search, on its own thread and suspends the caller until the work ends.
///
/// The work neither runs on the actor of the caller nor occupies a thread of Swift's concurrency runtime. The number of
/// processors limits how many closures run at the same time; others wait.
///
/// For example:
///
/// ```swift
/// let results = try await runCancellable { isCancelled in try search.search("ana", isCancelled: isCancelled) }
/// ```
///
/// - Parameter work: Receives a function that returns `true` once the task is canceled. The work polls it and then
///   throws `CancellationError`. A task that is canceled before the work begins throws it too.
public func runCancellable<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            workers.addOperation {
                continuation.resume(
                    with: Result {
                        if cancellation.isRequested { throw CancellationError() }
                        return try work { cancellation.isRequested }
                    })
            }
        }
    } onCancel: {
        cancellation.request()
    }
}

private let workers = {
    let workers = OperationQueue()
    workers.qualityOfService = .userInitiated
    workers.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    return workers
}()

/// A flag that the task sets and the work reads.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .relaxed) }

    func request() { flag.store(true, ordering: .relaxed) }
}

/// The kind of match of a result row, as shown by front ends. The engine finds the kinds from ``exact`` to ``typo``;
/// the others come from domains.
public enum ResultMatch: String, Sendable, Hashable, Codable, CaseIterable {
    /// The whole name, number or value.
    case exact
    /// A prefix of it, or of its words from any word on.
    case prefix
    /// Prefixes of several words, in order.
    case initials
    /// Words in any order, or words joined or split.
    case words
    /// Inside a word or number.
    case infix
    /// With a typo.
    case typo
    /// Typed with the wrong keyboard layout.
    case layout
    /// A code, such as an airport's.
    case code
    /// Something near the match.
    case nearby

    /// Creates the kind of a row from the engine's kind of match.
    public init(_ kind: MatchKind) {
        switch kind {
        case .exact: self = .exact
        case .prefix: self = .prefix
        case .initials: self = .initials
        case .words, .joined: self = .words
        case .infix: self = .infix
        case .typo: self = .typo
        }
    }

    /// `true` for a typo, a match inside a word, and something near the match.
    public var isWeak: Bool { quality > ResultMatch.words.quality }

    /// The order across kinds of objects; smaller is better. A code ranks as exact, a layout as a prefix.
    public var quality: Int {
        switch self {
        case .exact, .code: 0
        case .prefix, .layout: 1
        case .initials: 2
        case .words: 3
        case .infix: 4
        case .typo: 5
        case .nearby: 6
        }
    }
}

/// The evidence of a match and its weights.
public struct WeighedMatch: Sendable, Hashable {
    private let evidence: MatchEvidence
    private let likelihood: Likelihood

    /// Creates the match of a hit; nil if it was not weighed.
    public init?(_ hit: SearchHit) {
        guard let evidence = hit.evidence, let likelihood = hit.likelihood else { return nil }
        (self.evidence, self.likelihood) = (evidence, likelihood)
    }

    /// The summands of ``bits`` that are not zero.
    public var summands: LikelihoodSummands { LikelihoodSummands(likelihood.summands(evidence)) }

    /// The sum in bits: one bit less is half as likely.
    public var bits: Double { likelihood.bits(evidence) }
}

/// The summands of a likelihood, in bits.
public struct LikelihoodSummands: Sendable, CustomStringConvertible {
    /// The summands, with their names, such as "a slip".
    public let all: [(name: String, bits: Double)]

    /// Creates summands in the order in which they are described.
    public init(_ all: [(name: String, bits: Double)]) { self.all = all }

    /// The sum and its summands: "−7.5 bits: −3 a slip, −4 swapped or missing letters, −0.5 the share of letters".
    public var description: String {
        func text(_ bits: Double) -> String {
            let rounded = (abs(bits) * 10).rounded() / 10
            let digits = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
            return (bits < 0 ? "−" : "+") + digits
        }
        if all.isEmpty { return "0 bits" }
        return "\(text(all.reduce(0) { $0 + $1.bits })) bits: "
            + all.map { "\(text($0.bits)) \($0.name)" }.joined(separator: ", ")
    }
}

/// Operations on ranges to highlight.
public enum HighlightRanges {
    /// Returns the ranges sorted and disjoint, without empty ones. Adjacent ranges are merged.
    public static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        if ranges.count == 1, !ranges[0].isEmpty { return ranges }
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
