import SwitchboardTextNormalization
import SwitchboardVCard

extension Contact {
    /// Returns `true` if two contacts are probably the same person. They have
    ///
    /// - the same source identifier, or
    /// - the same number or e-mail address and compatible names, or
    /// - the same full name and another equal fact (organisation, birthday, number, address, note), or
    /// - the same full name, and one has no fact that the other lacks.
    func isSamePerson(as other: Contact, nameKey: NameKey, otherNameKey: NameKey) -> Bool {
        if !sourceUID.isEmpty, sourceUID == other.sourceUID || sourceUID == other.id { return true }
        let sharesNumber = phones.contains { phone in other.phones.contains { $0.number.isSame(as: phone.number) } }
        let sharesEmail = emails.contains { email in other.emails.contains { $0.identity == email.identity } }
        if sharesNumber || sharesEmail {
            if nameKey.isCompatible(with: otherNameKey) { return true }
            let (mine, theirs) = (NameKey(nickname), NameKey(other.nickname))
            if !mine.words.isEmpty, otherNameKey.contains(mine) { return true }
            if !theirs.words.isEmpty, nameKey.contains(theirs) { return true }
        }
        guard nameKey.text == otherNameKey.text else { return false }
        if nameKey.words.isEmpty {
            // Organisations and plain numbers are compared by their displayed name.
            guard displayName == other.displayName else { return false }
        }
        if sharesNumber || sharesEmail { return true }
        func isShared(_ fact: KeyPath<Contact, String>) -> Bool {
            !self[keyPath: fact].isEmpty && self[keyPath: fact] == other[keyPath: fact]
        }
        if !nameKey.words.isEmpty, isShared(\.organization) { return true }
        if isShared(\.birthday) || isShared(\.note) { return true }
        if addresses.contains(where: { address in other.addresses.contains { $0.components == address.components } }) {
            return true
        }
        if urls.contains(where: { url in other.urls.contains { $0.url == url.url } }) { return true }
        // Without a shared number or address, only a contact with neither can be redundant.
        let mayBeRedundant = { (contact: Contact) in contact.phones.isEmpty && contact.emails.isEmpty }
        return (mayBeRedundant(self) && other.merging(self) == other)
            || (mayBeRedundant(other) && merging(other) == self)
    }

    /// Returns this contact with the facts of another one.
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

    /// Keeps the more complete name and preserves the other one if it differs.
    private mutating func mergeName(of other: Contact) {
        let (mine, theirs) = (NameKey(fullName), NameKey(other.fullName))
        if theirs.words.isEmpty { return }
        if mine.words.isEmpty || (theirs.isFuller(than: mine) && mine.isCompatible(with: theirs)) {
            name = other.name
            formattedName = other.formattedName
        } else if mine.text == theirs.text {
            if name.prefix.isEmpty { name.prefix = other.name.prefix }
            if name.suffix.isEmpty { name.suffix = other.name.suffix }
            if name.secondFamily.isEmpty { name.secondFamily = other.name.secondFamily }
            if name.generation.isEmpty { name.generation = other.name.generation }
        } else if !mine.isFuller(than: theirs) || !mine.isCompatible(with: theirs) {
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

extension NameKey {
    /// Returns `true` if this name has more letters than a compatible one.
    fileprivate func isFuller(than other: NameKey) -> Bool {
        words.joined().count > other.words.joined().count
    }
}
