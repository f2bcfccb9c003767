import SwitchboardVCard

extension Contact {
    /// Returns this contact merged with another one.
    ///
    /// If a single-valued field differs, the other value is preserved in ``otherProperties``; notes and nicknames are
    /// joined. Merging the same contact again changes nothing. The identifier and the times stay.
    package func merging(_ other: Contact) -> Contact {
        var merged = self
        merged.mergeName(of: other)
        for nickname in other.nickname.split(separator: ",").map({ String($0).trimmingWhitespace }) {
            let known = merged.nickname.split(separator: ",").map { String($0).trimmingWhitespace }
            if !known.contains(nickname) { merged.nickname = (known + [nickname]).joined(separator: ", ") }
        }
        merged.fill(\.phoneticGivenName, from: other, property: "X-PHONETIC-FIRST-NAME")
        merged.fill(\.phoneticFamilyName, from: other, property: "X-PHONETIC-LAST-NAME")
        merged.fill(\.organization, from: other, property: "ORG")
        merged.fill(\.department, from: other, property: "X-DEPARTMENT")
        merged.fill(\.title, from: other, property: "TITLE")
        merged.fill(\.birthday, from: other, property: "BDAY")
        if other.sourceUID != id { merged.fill(\.sourceUID, from: other, property: "X-UID") }
        for phone in other.phones { merged.add(phone) }
        for email in other.emails { merged.add(email) }
        for address in other.addresses where !merged.addresses.contains(where: { $0.components == address.components })
        {
            merged.addresses.append(address)
        }
        for url in other.urls where !merged.urls.contains(where: { $0.url == url.url }) { merged.urls.append(url) }
        if !other.note.isEmpty, !merged.note.contains(other.note) {
            merged.note = merged.note.isEmpty ? other.note : merged.note + "\n\n" + other.note
        }
        merged.isFavourite = merged.isFavourite || other.isFavourite
        for group in other.groups { merged.addGroup(group) }
        if merged.photo == nil {
            merged.photo = other.photo
        } else if merged.photo?.data != other.photo?.data, let line = other.photo?.line {
            if !merged.otherProperties.contains(line) { merged.otherProperties.append(line) }
        }
        for property in other.otherProperties where !merged.otherProperties.contains(property) {
            merged.otherProperties.append(property)
        }
        return merged
    }

    /// Adopts the other name if it contains this contact's name, and otherwise preserves it unless it adds nothing.
    private mutating func mergeName(of other: Contact) {
        if other.fullName.isEmpty { return }
        let (mine, theirs) = (NameAsTyped(self), NameAsTyped(other))
        if fullName.isEmpty || (mine != theirs && mine.isContained(in: theirs)) {
            name = other.name
            formattedName = other.formattedName
        } else if mine == theirs {
            let whole = fullName
            if name.prefix.isEmpty { name.prefix = other.name.prefix }
            if name.suffix.isEmpty { name.suffix = other.name.suffix }
            if name.secondFamily.isEmpty { name.secondFamily = other.name.secondFamily }
            if name.generation.isEmpty { name.generation = other.name.generation }
            if fullName != whole { formattedName = whole }
            // The same formatted name may have different components, such as "J. Smith".
            let (own, components) = (NameAsTyped(name.composed), NameAsTyped(other.name.composed))
            if !components.words.isEmpty, components != own, !components.isContained(in: own) {
                preserve("X-OTHER-NAME", other.name.composed)
            }
        } else if !theirs.isContained(in: mine) {
            preserve("X-OTHER-NAME", other.fullName)
        }
    }

    private mutating func fill(_ field: WritableKeyPath<Contact, String>, from other: Contact, property: String) {
        let theirs = other[keyPath: field]
        if theirs.isEmpty || self[keyPath: field] == theirs { return }
        if self[keyPath: field].isEmpty {
            self[keyPath: field] = theirs
        } else {
            preserve(property, theirs)
        }
    }

    /// Adds a text to ``otherProperties`` unless present.
    mutating func preserve(_ property: String, _ text: String) {
        let line = property + ":" + VCardText.escaped(text)
        if !otherProperties.contains(line) { otherProperties.append(line) }
    }
}
