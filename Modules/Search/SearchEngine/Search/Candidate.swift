/// A document that one tier found, with what is needed to tell later where it matched.
struct Candidate {
    var document: Int
    /// Twice the number of edits, and one more for a wrong first letter.
    var halfEdits = 0
    /// Whether the typos are in words that stand in different places: those come last.
    var isAcrossValues = false
    var expansion = 0

    var penalty: Int { isAcrossValues ? Candidate.acrossValuesPenalty : halfEdits }

    static let acrossValuesPenalty = 1 << 16
}
