import SwitchboardContacts
import SwitchboardProspects

/// Conflicting changes to fields, made here and elsewhere since an object was read.
public struct EditConflict: CodedError, Hashable, Sendable {
    /// A field with its two new values.
    public struct Field: Hashable, Sendable {
        /// The display name, such as "nickname".
        public var name: String
        /// The value of this edit; empty if it removes the old one.
        public var mine: String
        /// The stored value; empty if the old one was removed.
        public var theirs: String
    }

    /// The fields, in the order of a form.
    public var fields: [Field]

    /// The error for a front end that does not ask which values to keep.
    public var details: ErrorDetails {
        let names = fields.map(\.name).joined(separator: ", ")
        return ErrorDetails(
            "changedSinceRead", .locked, "\(names) changed meanwhile; read the object and edit it again")
    }
}

/// The user's answer to an ``EditConflict``. It does not apply to later changes, which are a new conflict.
public struct EditConflictAnswer: Hashable, Sendable {
    /// The conflict that was shown.
    public var conflict: EditConflict
    /// True to store the values of this edit, false to keep the stored ones.
    public var keepsMine: Bool

    /// Creates an answer.
    public init(_ conflict: EditConflict, keepsMine: Bool) {
        self.conflict = conflict
        self.keepsMine = keepsMine
    }
}

extension EditCommand {
    /// Returns the same edit with an answer to its conflict.
    public func answering(_ answer: EditConflictAnswer) -> EditCommand {
        switch self {
        case .editContact(let id, let change, let base, _): .editContact(id, change, since: base, answer)
        case .restoreContact(let contact, let base, _): .restoreContact(contact, since: base, answer)
        case .editProspect(let id, let change, let base, _): .editProspect(id, change, since: base, answer)
        case .restoreProspect(let prospect, let base, _): .restoreProspect(prospect, since: base, answer)
        case .setMe(let me, let base, _): .setMe(me, since: base, answer)
        default: self
        }
    }
}

/// A three-way merge of an edited object with changes stored since it was read.
///
/// A field that only one side changed is taken from that side. In a list, the additions and removals of both sides
/// apply; only an element that both replaced is a conflict.
private struct EditMerge<Value> {
    let base: Value
    let mine: Value
    let answer: EditConflictAnswer?
    /// The stored object, into which the edit is merged.
    var merged: Value
    var conflicts: [EditConflict.Field] = []

    private var keepsMine: Bool { answer?.keepsMine ?? false }

    mutating func merge<Field: Equatable>(
        _ name: String, _ path: WritableKeyPath<Value, Field>, _ text: (Field) -> String
    ) {
        let (old, own, stored) = (base[keyPath: path], mine[keyPath: path], merged[keyPath: path])
        if own == old || own == stored { return }
        if stored != old {
            conflicts.append(EditConflict.Field(name: name, mine: text(own), theirs: text(stored)))
            if !keepsMine { return }
        }
        merged[keyPath: path] = own
    }

    mutating func merge(_ name: String, _ path: WritableKeyPath<Value, String>) { merge(name, path) { $0 } }

    mutating func merge<Element: Equatable>(
        _ name: String, _ path: WritableKeyPath<Value, [Element]>, _ text: (Element) -> String
    ) {
        let (old, own, stored) = (base[keyPath: path], mine[keyPath: path], merged[keyPath: path])
        if own == old || own == stored { return }
        if stored == old {
            merged[keyPath: path] = own
            return
        }
        var added = own.filter { !old.contains($0) && !stored.contains($0) }
        var result = stored
        for (index, element) in old.enumerated() where !own.contains(element) && !stored.contains(element) {
            guard own.indices.contains(index), stored.indices.contains(index), own[index] != stored[index],
                !old.contains(own[index]), !old.contains(stored[index])
            else { continue }
            conflicts.append(EditConflict.Field(name: name, mine: text(own[index]), theirs: text(stored[index])))
            added.removeAll { $0 == own[index] }
            if keepsMine { result[index] = own[index] }
        }
        // A new element takes the place of the element it replaced.
        let removed = old.filter { !own.contains($0) }
        result = result.compactMap { element in
            if !removed.contains(element) { return element }
            return added.isEmpty ? nil : added.removeFirst()
        }
        merged[keyPath: path] = result + added
    }

    /// Returns the merged object.
    ///
    /// - Throws: ``EditConflict``, unless the user has answered this conflict.
    func result() throws(EditConflict) -> Value {
        let conflict = EditConflict(fields: conflicts)
        if !conflicts.isEmpty, conflict != answer?.conflict { throw conflict }
        return merged
    }
}

extension Contact {
    /// The parts and the formatted form of a name, which change together.
    private struct WholeName: Equatable {
        var parts: PersonName
        var formatted: String
    }

    private var wholeName: WholeName {
        get { WholeName(parts: name, formatted: formattedName) }
        set { (name, formattedName) = (newValue.parts, newValue.formatted) }
    }

    /// Applies the difference between two other versions of the contact to this one.
    mutating func merge(_ mine: Contact, since base: Contact, _ answer: EditConflictAnswer?) throws(EditConflict) {
        var merge = EditMerge(base: base, mine: mine, answer: answer, merged: self)
        merge.merge("name", \.wholeName) { Contact(name: $0.parts, formattedName: $0.formatted).fullName }
        for field in ContactTextField.all where !field.isNamePart { merge.merge(field.label, \.[field]) }
        merge.merge("phone", \.phones) { $0.number.text }
        merge.merge("e-mail", \.emails) { $0.address }
        merge.merge("address", \.addresses) {
            [$0.street, $0.locality, $0.country].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        merge.merge("page", \.urls) { $0.url }
        merge.merge("group", \.groups) { $0 }
        for list in ContactListField.all { merge.merge(list.label, \.[list]) { $0.text } }
        merge.merge("favourite", \.isFavourite) { $0 ? "yes" : "no" }
        self = try merge.result()
    }
}

extension Prospect {
    /// Applies the difference between two other versions of the prospect to this one.
    mutating func merge(_ mine: Prospect, since base: Prospect, _ answer: EditConflictAnswer?) throws(EditConflict) {
        var merge = EditMerge(base: base, mine: mine, answer: answer, merged: self)
        merge.merge("name", \.name)
        merge.merge("e-mail", \.email)
        merge.merge("phone", \.phone)
        merge.merge("organization", \.organization)
        merge.merge("met", \.met)
        merge.merge("note", \.note)
        self = try merge.result()
    }
}

extension MyDetails {
    /// Applies the difference between two other versions of the details to this one.
    mutating func merge(_ mine: MyDetails, since base: MyDetails, _ answer: EditConflictAnswer?) throws(EditConflict) {
        var merge = EditMerge(base: base, mine: mine, answer: answer, merged: self)
        merge.merge("name", \.name)
        merge.merge("e-mail", \.email)
        merge.merge("phone", \.phone)
        merge.merge("organization", \.organization)
        merge.merge("title", \.title)
        merge.merge("page", \.url)
        self = try merge.result()
    }
}
