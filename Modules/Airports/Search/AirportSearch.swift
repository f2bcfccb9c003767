public import KeypadInput
import LookupEngine

/// Finds airports in three stages: popular ones by prefix, popular ones with typos, the whole catalogue.
public final class AirportSearch: Sendable {
    /// The airports that are searched.
    public let airports: Airports

    /// A search over airports. Nothing is read before the first question.
    public init(airports: Airports) { self.airports = airports }

    /// The rows that a text finds; the empty text finds what ``Airports/suggestions(near:limit:)`` offers.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - limit: how many rows at most; 0 for all.
    ///   - stage: only this stage, 1 to 3; nil for all in turn.
    ///   - language: the language of titles, whose names come first; "en" unless given.
    ///   - isCancelled: asked now and then; when it says true the search ends with `LookupCancelled`.
    public func search(
        _ text: String, limit: Int = 10, stage: Int? = nil, language: String = "en",
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> AirportAnswer { AirportAnswer(hits: [], isFinal: true) }

    /// The rows that the digits of a keypad find.
    public func dial(
        _ query: KeypadQuery, limit: Int = 10, stage: Int? = nil, language: String = "en",
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> AirportAnswer { AirportAnswer(hits: [], isFinal: true) }

    /// Reads or builds what the search needs, so that the first question is as quick as the next ones.
    public func prepare() throws {}
}
