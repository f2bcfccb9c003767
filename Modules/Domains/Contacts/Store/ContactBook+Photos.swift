import Foundation
import GRDB
import SwitchboardStorage

// MARK: - Photos

extension ContactBook {
    /// Returns the photo of a contact; nil without one.
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

    /// Replaces the photo of a contact, or removes it if nil.
    ///
    /// ``ContactPhoto/init(picture:)`` creates a photo from the bytes of a file.
    ///
    /// - Returns: The stored contact.
    /// - Throws: ``ContactBookError/notFound(id:)``; ``ContactBookError/noPhoto(id:)`` if there is no photo to remove.
    @discardableResult
    public func setPhoto(_ photo: ContactPhoto?, of id: String) throws -> Contact {
        try edit(id) { contact in
            if photo == nil, contact.photo == nil { throw ContactBookError.noPhoto(id: id) }
            contact.photo = photo
        }
    }
}
