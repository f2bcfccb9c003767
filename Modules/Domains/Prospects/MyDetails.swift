import GRDB
public import SwitchboardJSON
import SwitchboardStorage
import SwitchboardVCard

/// The contact details on the user's own badge. Unknown fields are empty.
public struct MyDetails: Hashable, Sendable {
    /// The full name.
    public var name: String
    /// The e-mail address.
    public var email: String
    /// The phone number.
    public var phone: String
    /// The company.
    public var organization: String
    /// The job title.
    public var title: String
    /// The address of a web page.
    public var url: String

    /// Creates details.
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

    /// The names of the fields in JSON and in the table.
    fileprivate enum CodingKeys: String, CodingKey { case name, email, phone, organization, title, url }

    fileprivate static var fields: [(key: CodingKeys, path: WritableKeyPath<MyDetails, String>)] {
        [
            (.name, \.name), (.email, \.email), (.phone, \.phone), (.organization, \.organization),
            (.title, \.title), (.url, \.url),
        ]
    }
}

extension MyDetails: JSONObjectEncodable {
    /// Encodes all fields; empty ones are null.
    public func encode(to members: inout JSONMembers) throws {
        for (key, path) in MyDetails.fields { try members.addOrNull(key.rawValue, self[keyPath: path]) }
    }
}

extension Prospects {
    /// Returns the user's own details, or nil if none are set.
    public func me() throws -> MyDetails? {
        try storage.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT field, text FROM prospect_me")
            if rows.isEmpty { return nil }
            var me = MyDetails()
            for row in rows {
                let name: String = try row.value(0)
                if let field = MyDetails.fields.first(where: { $0.key.rawValue == name }) {
                    me[keyPath: field.path] = try row.value(1)
                }
            }
            return me
        }
    }

    /// Stores the user's own details. Details without any text remove them.
    ///
    /// - Returns: The details as stored.
    /// - Throws: ``ProspectsError/notAnAddress(_:)``, ``ProspectsError/notANumber(_:)``,
    ///   ``ProspectsError/tooLong(field:limit:)``, ``ProspectsError/nulText(field:)``.
    @discardableResult
    public func setMe(_ details: MyDetails) throws -> MyDetails {
        var details = details
        for (_, path) in MyDetails.fields {
            details[keyPath: path] = details[keyPath: path].oneLine
        }
        let normalized = details
        for (key, path) in MyDetails.fields {
            if normalized[keyPath: path].utf8.contains(0) { throw ProspectsError.nulText(field: key.rawValue) }
            let limit = key == .url ? SizeLimit.url : SizeLimit.name
            if normalized[keyPath: path].utf8.count > limit {
                throw ProspectsError.tooLong(field: key.rawValue, limit: limit)
            }
        }
        try Prospect.check(email: normalized.email, phone: normalized.phone, region: region)
        try storage.write(changing: Prospects.module) { db in
            try db.execute(sql: "DELETE FROM prospect_me")
            for (key, path) in MyDetails.fields where !normalized[keyPath: path].isEmpty {
                try db.execute(
                    sql: "INSERT INTO prospect_me VALUES (?, ?)", arguments: [key.rawValue, normalized[keyPath: path]])
            }
        }
        return normalized
    }
}
