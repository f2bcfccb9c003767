import Foundation
import GRDB
import SwitchboardStorage

/// What stands on one's own badge.
///
/// What is unknown is empty.
public struct MyDetails: Hashable, Sendable {
    /// The whole name.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The phone number.
    public var phone: String
    /// The company.
    public var organization: String
    /// What one does there.
    public var title: String
    /// A page.
    public var url: String

    /// Details; see the properties.
    public init(
        name: String = "", email: String = "", phone: String = "", organization: String = "", title: String = "",
        url: String = ""
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.organization = organization
        self.title = title
        self.url = url
    }

    /// The fields as they are named in JSON and in the table, in the order of reading.
    static var fields: [(name: String, path: WritableKeyPath<MyDetails, String>)] {
        [
            ("name", \.name), ("email", \.email), ("phone", \.phone), ("organization", \.organization),
            ("title", \.title), ("url", \.url),
        ]
    }
}

extension MyDetails: Encodable {
    private enum CodingKeys: String, CodingKey { case name, email, phone, organization, title, url }

    /// Writes the fields; what is unknown is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        for (name, path) in MyDetails.fields {
            guard let key = CodingKeys(stringValue: name) else { continue }
            let text = self[keyPath: path]
            try container.encode(text.isEmpty ? nil : text, forKey: key)
        }
    }
}

extension Prospects {
    /// What stands on one's own badge; nil before anything was set.
    ///
    /// - Throws: `StorageError`.
    public func me() throws -> MyDetails? {
        try storage.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT field, text FROM prospect_me")
            if rows.isEmpty { return nil }
            var me = MyDetails()
            for row in rows {
                let name: String = try row.value(0)
                if let field = MyDetails.fields.first(where: { $0.name == name }) {
                    me[keyPath: field.path] = try row.value(1)
                }
            }
            return me
        }
    }

    /// Keeps what stands on one's own badge; details without any text remove it.
    ///
    /// - Returns: the details as kept.
    /// - Throws: ``ProspectsError/notAnAddress(_:)``, ``ProspectsError/notANumber(_:)``.
    @discardableResult
    public func setMe(_ details: MyDetails) throws -> MyDetails {
        var details = details
        for (_, path) in MyDetails.fields {
            let line = details[keyPath: path].split(whereSeparator: \.isNewline).joined(separator: " ")
            details[keyPath: path] = line.trimmingCharacters(in: .whitespaces)
        }
        let tidied = details
        if !tidied.email.isEmpty, !EmailKey.isAddress(tidied.email) { throw ProspectsError.notAnAddress(tidied.email) }
        if !tidied.phone.isEmpty, PhoneWritings(tidied.phone, region: region).identity.isEmpty {
            throw ProspectsError.notANumber(tidied.phone)
        }
        try storage.write(changing: Prospects.module) { db in
            try db.execute(sql: "DELETE FROM prospect_me")
            for (name, path) in MyDetails.fields where !tidied[keyPath: path].isEmpty {
                try db.execute(
                    sql: "INSERT INTO prospect_me VALUES (?, ?)", arguments: [name, tidied[keyPath: path]])
            }
        }
        return tidied
    }
}
