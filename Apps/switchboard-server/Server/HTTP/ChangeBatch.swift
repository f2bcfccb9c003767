import HTTPTypes
import SwitchboardJSON
import SwitchboardKit
import SwitchboardStorage

/// The additions, changes and removals of one request, applied atomically.
///
/// An element without `id` adds an object, as POST does; an element with `id` changes one, as PATCH does. With
/// `"remove": true`, it removes the object. `ifMatch` is the tag of the version to change or remove.
struct ChangeBatch<Body: Sendable>: Sendable {
    private enum Action: Sendable {
        case add(Body)
        case change(String, Body)
        case remove(String)
    }

    private struct Element: Sendable {
        let action: Action
        let tag: String?
    }

    private let elements: [Result<Element, any Error>]

    /// Parses a body that is an array.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - members: The members of an element besides `id`, `remove` and `ifMatch`.
    ///   - read: Reads the changes of an element.
    /// - Throws: A ``Problem`` if the body is not an array, is empty or has too many elements. Problems of elements are
    ///   thrown by ``perform(in:current:add:change:remove:)``.
    init(_ bytes: [UInt8], members: Set<String>, _ read: (JSONObject) throws -> Body) throws {
        let value: JSONValue
        do {
            value = try JSONParser.value(of: bytes)
        } catch {
            throw Problem.malformed("the body is not valid JSON: \(error.reason)")
        }
        guard case .array(let values) = value, !values.isEmpty else {
            throw Problem.malformed("the body is not a list of changes; send an array")
        }
        guard values.count <= BatchLimit.elements else {
            throw Problem.badRequest(
                "the batch has \(values.count) elements; send at most \(BatchLimit.elements) in a request",
                code: "tooManyElements")
        }
        let known = members.union(["id", "remove", "ifMatch"])
        elements = values.map { value in
            Result {
                try Self.element(try JSONObject(value.value, "the element is not a JSON object", known: known), read)
            }
        }
    }

    private static func element(_ object: JSONObject, _ read: (JSONObject) throws -> Body) throws -> Element {
        let (id, removes) = (try object.text("id"), try object.flag("remove") ?? false)
        let tag = try object.text("ifMatch").flatMap { $0.isEmpty ? nil : $0 }
        guard let id, !id.isEmpty else {
            if removes { throw Problem.malformed("remove: the element has no id; add that of the object to remove") }
            if tag != nil { throw Problem.malformed("ifMatch: the element adds an object; omit it") }
            return Element(action: .add(try read(object)), tag: nil)
        }
        return Element(action: removes ? .remove(id) : .change(id, try read(object)), tag: tag)
    }

    /// Performs all elements in order and in one transaction.
    ///
    /// - Parameters:
    ///   - current: Returns the same representation of an object as a GET request.
    ///   - add, change, remove: Perform an element.
    /// - Throws: A ``Problem`` that lists the problems of all rejected elements. Nothing is changed in this case.
    func perform(
        in switchboard: Switchboard, current: (String) throws -> ChangeResponse, add: (Body) throws -> BatchRow,
        change: (String, Body) throws -> ChangeResponse, remove: (String) throws -> Void
    ) throws -> ListResponse<BatchRow> {
        func row(of element: Element) throws -> BatchRow {
            func check(_ id: String) throws {
                guard let tag = element.tag else { return }
                let bytes = try OrderedJSON.bytes(current(id))
                guard EntityTag.list(tag, contains: EntityTag.of(bytes)) else {
                    throw Problem.preconditionFailed(bytes)
                }
            }
            switch element.action {
            case .add(let body): return try add(body)
            case .change(let id, let body):
                try check(id)
                return .changed(try change(id, body))
            case .remove(let id):
                try check(id)
                try remove(id)
                return .removed(id)
            }
        }
        return try switchboard.storage.write { _ in
            var (rows, problems) = ([BatchRow](), [Problem]())
            for (number, element) in elements.enumerated() {
                do {
                    rows.append(try row(of: element.get()))
                } catch {
                    var problem = Problem(error)
                    guard problem.status.kind == .clientError, problem.code != Problem.cancelled.code else {
                        throw error
                    }
                    problem.element = number
                    problems.append(problem)
                }
            }
            guard problems.isEmpty else { throw Problem.rejectedBatch(of: elements.count, problems) }
            return ListResponse(rows)
        }
    }
}

/// The result of a batch element: the status that a separate request would get, and the object unless it was removed.
enum BatchRow: Encodable, Sendable {
    case added(ChangeResponse)
    case changed(ChangeResponse)
    case removed(String)

    private enum CodingKeys: String, CodingKey { case status, id, etag }

    private var status: HTTPResponse.Status {
        switch self {
        case .added: .created
        case .changed: .ok
        case .removed: .noContent
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status.code, forKey: .status)
        switch self {
        case .added(let object), .changed(let object):
            try object.encode(to: encoder)
            try container.encode("\"\(EntityTag.of(OrderedJSON.bytes(object)))\"", forKey: .etag)
        case .removed(let id): try container.encode(id, forKey: .id)
        }
    }
}

enum BatchLimit {
    /// The maximum number of elements. Each may return an object of up to a mebibyte.
    static let elements = 200
}

extension Problem {
    fileprivate static func rejectedBatch(of count: Int, _ problems: [Problem]) -> Problem {
        Problem(
            status: .unprocessableContent, code: "rejectedBatch",
            detail: """
                \(problems.count) of \(count) elements cannot be applied, so nothing was changed; correct them and try again
                """,
            problems: problems)
    }
}

extension Route.Body {
    /// Returns the description of a batch body.
    ///
    /// - Parameter schema: The name of an element's schema.
    static func batch(_ schema: String) -> Route.Body {
        .json([
            "type": "array", "minItems": 1, "maxItems": .number(Double(BatchLimit.elements)),
            "items": Schema.ref(schema),
        ])
    }
}
