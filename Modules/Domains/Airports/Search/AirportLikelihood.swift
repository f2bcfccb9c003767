import Foundation
public import SwitchboardIncrementalIndex
import SwitchboardSearchEngine

// The likelihood of an airport, a city or a place: how probable it is that someone who means it types the query. As for
// people and items (`Likelihood`), one bit less is half as likely, but the prior is known: the passengers. A whole name
// has far more bits than the difference between the largest airport and the smallest, so that it comes first.

/// The evidence that a match gives for an airport, a city or a place.
struct AirportEvidence: Sendable, Hashable {
    /// How much the subject is used, in bits; see ``AirportLikelihood/bits(popularity:)``.
    var prior = 0.0
    /// The class of the matched name.
    var nameClass: NameClass
    /// The kind of match.
    var kind: MatchKind
    /// The number of edits of a typo; a wrong first letter adds a half.
    var edits = 0.0
    /// `true` for the digits of a keypad.
    var isKeyed = false
    /// `true` for a name in English or as spelled in Latin letters.
    var isInNames = true
    /// The number of typed letters.
    var letters = 0
    /// `true` if the name has the typed accents or kana.
    var hasTypedMarks = false
    /// `true` if a typed word is in the name, not only in its city, region or country.
    var namesSubject = false
    /// `true` for a town of four typed Latin letters that is large enough to be meant.
    var isLargeTown = false
    /// The bits that a namesake of far more passengers takes.
    var namesake = 0.0

    /// How much the subject is used, in bits, and more if it is spelled as typed.
    var use: Double { hasTypedMarks ? prior + AirportLikelihood.typedMarks : prior }
}

/// The weights of evidence for airports, in bits: the table of `docs/matching.md`, which gives a reading of each.
///
/// They were found by measurement: keystrokes to target and the queries of `docs/performance.md`.
public struct AirportLikelihood: Sendable, Hashable {
    let evidence: AirportEvidence

    /// The bits of a popularity of 1, which is seven powers of ten.
    private static let bitsOfPopularity = 7 * log2(10.0)

    /// The bits of a popularity, a logarithm of passengers.
    static func bits(popularity: Double) -> Double { popularity * bitsOfPopularity }

    /// The bits of a town without an airport.
    static func bits(people: Int) -> Double { 0.56 * log2(Double(max(people, 1000))) }

    /// The minimum length at which an airport's name without its city is rarely the beginning of another name.
    static let minLettersOfOwnName = 5
    /// The minimum length at which an additional name is rarely the beginning of a city, unlike "MO" and "PE".
    private static let minLettersOfAdditionalName = 3
    /// The bits from which the name of a town is rarely the beginning of another name, or that of a hardly used airport.
    static let largeTown = bits(people: 300_000)

    /// The bits of a name with the typed accents or kana.
    static let typedMarks = 12.0

    /// The bits of a class of names, whatever the match. They are part of the ranks of the index.
    static func bits(_ nameClass: NameClass) -> Double {
        switch nameClass {
        case .main, .words: 0
        case .own: -5
        case .tail: -8
        case .colloquial: -7
        case .foreign, .code, .country: -12
        case .place: -2
        }
    }

    /// The bits of a whole name.
    private static func wholeBits(_ evidence: AirportEvidence) -> Double {
        let (nameClass, letters) = (evidence.nameClass, evidence.letters)
        if letters < minLettersOfAdditionalName, nameClass != .code, nameClass != .main { return 0 }
        return switch nameClass {
        case .code: evidence.isKeyed ? 12 : 120
        case .main, .own: letters < 4 ? 14 : 46
        case .country: 30
        case .colloquial, .words: 23
        case .foreign: 14
        case .place: letters < 4 ? -7 : letters < 5 || !evidence.isInNames ? 4 : 14
        case .tail: 2
        }
    }

    /// The sum in bits: one bit less is half as likely.
    public var bits: Double {
        var bits = 0.0
        forEachSummand { _, summand in bits += summand }
        return bits
    }

    /// The summands of ``bits`` that are not zero, with their names, such as "typing errors".
    public var summands: LikelihoodSummands {
        var summands: [(name: String, bits: Double)] = []
        forEachSummand { name, bits in if bits != 0 { summands.append((name.description, bits)) } }
        return LikelihoodSummands(summands)
    }

    @inline(__always)
    private func forEachSummand(_ add: (StaticString, Double) -> Void) {
        add("how much it is used", evidence.prior)
        add("the class of the name", AirportLikelihood.bits(evidence.nameClass))
        switch evidence.kind {
        case .exact: add("the whole name", AirportLikelihood.wholeBits(evidence))
        case .typo: add("typing errors", -7 * evidence.edits)
        default: break
        }
        if evidence.hasTypedMarks { add("the typed accents", AirportLikelihood.typedMarks) }
        if evidence.namesSubject { add("a word of the name", 23) }
        if evidence.isLargeTown { add("a large town", 2.5) }
        add("a namesake that is used far more", evidence.namesake)
    }
}
