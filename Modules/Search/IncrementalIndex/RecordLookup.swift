/// What the domains share to look their records up: an index in a file that follows the changes of the database, the words of a text as
/// fields of an index, and how people are found by name and number.
///
/// The module stands on `LookupEngine`, which finds, and on `Storage`, which keeps. It knows no domain: a domain says what goes into its
/// index (``IndexedRecords``), and ``FollowedIndex`` makes it, keeps it beside the database, and brings it up to date.
///
/// For example:
///
/// ```swift
/// let index = FollowedIndex(of: NoteRecords(), in: storage)
/// let hits = try storage.read { db in
///     try index.hits(in: db, limit: 10) { LookupRequest(queries: [query], tiers: tiers) }.hits
/// }
/// ```
public enum RecordLookup {}
