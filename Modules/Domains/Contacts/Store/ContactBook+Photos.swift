import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Photographs

extension ContactBook {
    /// The photograph of a contact; nil without one.
    ///
    /// - Throws: ``ContactBookError/notFound(id:)``.
    public func photo(of id: String) throws -> ContactPhoto? {
        try storage.read { db in
            let key = try ContactFetching.key(of: id, in: db)
            let row = try Row.fetchOne(
                db, sql: "SELECT label, value FROM contact_detail WHERE contact = ? AND kind = ?",
                arguments: [key, DetailKind.photo.rawValue])
            return try row.map { try ContactPhoto($0.value(1) as Data, label: $0.value(0)) }
        }
    }

    /// Gives a contact a photograph in the place of the one it has, or, with nil, none.
    ///
    /// ``ContactPhoto/init(picture:)`` makes one of the bytes of a file.
    ///
    /// - Returns: the contact as stored.
    /// - Throws: ``ContactBookError/notFound(id:)``; ``ContactBookError/noPhoto(id:)`` if there is none to remove.
    @discardableResult
    public func setPhoto(_ photo: ContactPhoto?, of id: String) throws -> Contact {
        try edit(id) { contact in
            if photo == nil, contact.photo == nil { throw ContactBookError.noPhoto(id: id) }
            contact.photo = photo
        }
    }
}
