/// A document found by a tier, with the data needed to locate its matches later.
struct Candidate {
    var document: Int
    /// Twice the number of edits, plus one for a wrong first letter.
    var halfEdits = 0
    /// The evidence against a typo, from 0; see ``TypoEvidence``.
    var weakness = 0
    /// `true` if words with typos match in different values. Such candidates come last.
    var isAcrossValues = false
    var expansion = 0

    var penalty: Int { isAcrossValues ? Candidate.acrossValuesPenalty : halfEdits * 4 + weakness }

    static let acrossValuesPenalty = 1 << 16
}
