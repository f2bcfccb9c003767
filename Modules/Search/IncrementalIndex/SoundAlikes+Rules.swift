public import SwitchboardSearchEngine
import SwitchboardTextNormalization

extension SpellingRules {
    /// The rules for words folded to Latin letters: Meyer and Maier, Mohamed and Muhammad.
    public static let soundAlikes = SpellingRules(
        SoundAlikes.groups.map { group in
            let place: Group.Place =
                switch group.place {
                case .anywhere: .anywhere
                case .start: .start
                case .end: .end
                }
            return Group(group.spellings.map { Array($0.utf16) }, place: place, cost: group.cost)
        })
}
