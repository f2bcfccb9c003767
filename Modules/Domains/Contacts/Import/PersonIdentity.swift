import SwitchboardTextNormalization
import SwitchboardVCard

/// The evidence that an imported card and a contact are the same person.
enum IdentityEvidence: String {
    case identifier = "same UID"
    case number = "same name and number"
    case email = "same name and e-mail address"
    case address = "same name and postal address"
    case nothingElse = "same name, and one has nothing that the other lacks"
}

extension Contact {
    /// Returns the evidence that an imported card is the same person as a contact of the book; nil without proof.
    ///
    /// - An equal UID is proof if the names are compatible. Within one file, which describes each person once, they
    ///   must be compatible as typed, and nothing may contradict the match.
    /// - Otherwise the names must be equal as typed, nothing may contradict the match, and they must share a number or
    ///   address, or one of them has nothing that the other lacks.
    ///
    /// - Parameters:
    ///   - other: The contact of the book.
    ///   - isOfSameFile: `true` if another card of the same file was stored in it.
    func identityEvidence(with other: Contact, isOfSameFile: Bool) -> IdentityEvidence? {
        let (name, otherName) = (NameAsTyped(self), NameAsTyped(other))
        if !sourceUID.isEmpty, sourceUID == other.sourceUID || sourceUID == other.id {
            let isCompatible =
                name == otherName || name.isContained(in: otherName) || otherName.isContained(in: name)
                || !isOfSameFile && hasCompatibleLetters(name, otherName)
            guard isCompatible, generations == other.generations else { return nil }
            return isOfSameFile && contradicts(other) ? nil : .identifier
        }
        guard name == otherName, !contradicts(other) else { return nil }
        if phones.contains(where: { phone in other.phones.contains { $0.number.isSame(as: phone.number) } }) {
            return .number
        }
        if emails.contains(where: { email in other.emails.contains { $0.identity == email.identity } }) {
            return .email
        }
        if addresses.contains(where: { address in other.addresses.contains { $0.components == address.components } }) {
            return .address
        }
        return addsNothing(to: other) || other.addsNothing(to: self) ? .nothingElse : nil
    }

    /// Returns `true` if the folded words of one name are words or initials of the other, as after
    /// correcting an accent.
    private func hasCompatibleLetters(_ name: NameAsTyped, _ other: NameAsTyped) -> Bool {
        let (mine, theirs) = (NameKey(name.text), NameKey(other.text))
        return NameAsTyped.isContained(mine.words, in: theirs.words)
            || NameAsTyped.isContained(theirs.words, in: mine.words)
    }

    /// Returns `true` if some fact shows that two contacts of the same name are different people.
    private func contradicts(_ other: Contact) -> Bool {
        if generations != other.generations { return true }
        if !birthday.isEmpty, !other.birthday.isEmpty, birthday != other.birthday {
            guard let mine = Birthday(birthday), let theirs = Birthday(other.birthday) else { return true }
            let hasOtherYear = mine.year != nil && theirs.year != nil && mine.year != theirs.year
            if hasOtherYear || (mine.month, mine.day) != (theirs.month, theirs.day) { return true }
        }
        return !organization.isEmpty && !other.organization.isEmpty
            && NameAsTyped(organization) != NameAsTyped(other.organization)
    }

    /// The generation suffixes of the name, which distinguish father and son.
    private var generations: Set<String> {
        let words = [name.suffix, name.generation, fullName].joined(separator: " ").split { $0 == " " || $0 == "," }
        return Set(words.compactMap { NameWords.generation($0) })
    }

    /// Returns `true` if another contact has all facts of this one. Always `false` for a contact with numbers or e-mail
    /// addresses: if the other contact had them, a shared one would have matched already.
    private func addsNothing(to other: Contact) -> Bool {
        guard phones.isEmpty, emails.isEmpty else { return false }
        var mine = self
        if other.sourceUID.isEmpty { mine.sourceUID = "" }
        return other.merging(mine) == other
    }
}
