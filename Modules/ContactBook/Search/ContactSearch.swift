public import KeypadInput
import LookupEngine

/// Finds contacts by keypad and by text.
public final class ContactSearch: Sendable {
    /// The book that is searched.
    public let book: ContactBook

    /// A search over a book. Nothing is read before the first question.
    public init(book: ContactBook) { self.book = book }

    /// The contacts that the digits of a keypad find, best first.
    ///
    /// - Parameters:
    ///   - query: the digits.
    ///   - limit: how many at most; 0 for all.
    ///   - isCancelled: asked now and then; when it says true the search ends with `LookupCancelled`.
    public func dial(
        _ query: KeypadQuery, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ContactHit] { [] }

    /// The contacts that a text finds, best first; the empty text finds all, favourites and most used first.
    public func find(
        _ text: String, limit: Int = 10, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws -> [ContactHit] { [] }

    /// Reads or builds what the search needs, so that the first question is as quick as the next ones.
    public func prepare() throws {}
}
