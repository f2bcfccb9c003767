public import Foundation

/// A list of popular airports as it travels between programs: gzip of a JSON object, schema 1.
///
/// It is taken whole or not at all: reading checks every airport and says what is wrong with the first bad one.
public struct PopularSnapshot: Sendable {
    /// The schema that is read and written.
    public static let schema = 1
    /// How large the JSON may be, in bytes: some forty times the list that ships.
    static let largestJSON = 64 << 20

    /// When the list was made.
    public let generatedAt: Date
    /// The airports, the most used first.
    public let airports: [Airport]

    init(generatedAt: Date, airports: [Airport]) {
        self.generatedAt = generatedAt
        self.airports = airports
    }

    // MARK: - Reading

    /// Reads a snapshot. Airports of equal popularity keep their order.
    ///
    /// - Throws: `AirportsError.malformedSnapshot` for bytes that are torn or no gzip, another schema, an empty list,
    ///   a code twice, a latitude of 91 and whatever else no airport can have.
    public init(gzip data: Data) throws(AirportsError) {
        let json: Data
        do {
            json = try Gzip.decompress(data, limit: Self.largestJSON)
        } catch {
            throw .malformedSnapshot(Self.reason(error))
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let file: SnapshotFile
        do {
            // The schema first: another one may have any shape.
            let schema = try decoder.decode(SnapshotSchema.self, from: json).schema
            guard schema == Self.schema else {
                throw AirportsError.malformedSnapshot("schema \(schema); only \(Self.schema) is known")
            }
            file = try decoder.decode(SnapshotFile.self, from: json)
        } catch let error as AirportsError {
            throw error
        } catch let error as DecodingError {
            throw .malformedSnapshot(Self.reason(error))
        } catch {
            throw .malformedSnapshot("not JSON")
        }
        let airports = try Self.checked(file.airports)
        generatedAt = file.generatedAt
        // Swift's sort is not promised to be stable.
        self.airports = airports.enumerated()
            .sorted { ($1.element.popularity, $0.offset) < ($0.element.popularity, $1.offset) }
            .map(\.element)
    }

    private static func checked(_ entries: [SnapshotEntry]) throws(AirportsError) -> [Airport] {
        guard !entries.isEmpty else { throw .malformedSnapshot("the list is empty") }
        var seen: Set<String> = []
        var airports: [Airport] = []
        airports.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            let airport = entry.airport
            if let fault = airport.fault {
                throw .malformedSnapshot("airport \(index + 1), \(entry.code.prefix(8)): \(fault)")
            }
            guard seen.insert(entry.code).inserted else {
                throw .malformedSnapshot("the code \(entry.code) is there twice")
            }
            airports.append(airport)
        }
        return airports
    }

    private static func reason(_ failure: Gzip.Failure) -> String {
        switch failure {
        case .torn: "the file ends too early"
        case .damaged: "not gzip, or damaged"
        case .trailingBytes: "there is more after its end"
        case .tooLarge: "larger than \(largestJSON >> 20) MiB"
        case .outOfMemory: "no memory left"
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.map { $0.intValue.map { "airport \($0 + 1)" } ?? $0.stringValue }.joined(separator: ", ")
        }
        switch error {
        case .keyNotFound(let key, let context):
            return place(context.codingPath + [key]) + ": missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return place(context.codingPath) + ": of another type"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty ? "not JSON" : place(context.codingPath) + ": unreadable"
        @unknown default:
            return "not JSON"
        }
    }

    // MARK: - Writing

    /// The snapshot as gzip; the same list of the same time gives the same bytes.
    public func gzip() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let file = SnapshotFile(
            schema: Self.schema, generatedAt: generatedAt, airports: airports.map(SnapshotEntry.init))
        return try Gzip.compress(try encoder.encode(file))
    }
}
