/// A query encoded for a field.
struct FieldQuery {
    let number: Int
    let field: Field
    let query: EncodedQuery
}

/// Encodes each query once for each field that is searched.
struct QueryEncoder {
    let fields: [Field]
    let queries: [SearchQuery]
    /// The expansions encoded so far. A search uses few fields, even if there are many.
    private var encoded: [(query: Int, field: Int, expansions: [EncodedQuery])] = []

    init(fields: [Field], queries: [SearchQuery]) {
        self.fields = fields
        self.queries = queries
    }

    mutating func expansions(of query: Int, field: Int) -> [EncodedQuery] {
        for known in encoded where known.query == query && known.field == field { return known.expansions }
        let expansions = EncodedQuery.expansions(of: queries[query], in: fields[field].alphabet)
        encoded.append((query, field, expansions))
        return expansions
    }

    /// Returns the queries for the tier's field, followed by the queries for its other fields.
    mutating func fieldQueries(of tier: SearchTier, expansion: Int) -> [FieldQuery] {
        var fieldQueries = [fieldQuery(of: tier, field: tier.field, expansion)]
        for field in tier.otherFields where fields.indices.contains(field) {
            fieldQueries.append(fieldQuery(of: tier, field: field, expansion))
        }
        return fieldQueries
    }

    private mutating func fieldQuery(of tier: SearchTier, field: Int, _ expansion: Int) -> FieldQuery {
        FieldQuery(number: field, field: fields[field], query: expansions(of: tier.query, field: field)[expansion])
    }
}
