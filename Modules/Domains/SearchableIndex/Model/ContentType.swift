/// Uniform type identifiers and the types they conform to.
///
/// The tree is the part of Apple's "System-Declared Uniform Type Identifiers" that applies to indexed content.
enum ContentType {
    /// Returns a type and all types it conforms to, nearest first. An unknown type conforms to no others.
    static func tree(of type: String) -> [String] {
        var tree = [type]
        var next = 0
        while next < tree.count {
            for parent in parents[tree[next]] ?? [] where !tree.contains(parent) { tree.append(parent) }
            next += 1
        }
        return tree
    }

    private static let parents: [String: [String]] = [
        "public.data": ["public.item"],
        "public.content": [],
        "public.composite-content": ["public.content"],
        "public.text": ["public.data", "public.content"],
        "public.plain-text": ["public.text"],
        "public.utf8-plain-text": ["public.plain-text"],
        "public.rtf": ["public.text"],
        "public.html": ["public.text"],
        "public.xml": ["public.text"],
        "public.source-code": ["public.plain-text"],
        "public.json": ["public.text"],
        "net.daringfireball.markdown": ["public.plain-text"],
        "public.delimited-values-text": ["public.text"],
        "public.comma-separated-values-text": ["public.delimited-values-text"],
        "public.vcard": ["public.text", "public.contact"],
        "public.contact": [],
        "public.message": [],
        "public.email-message": ["public.data", "public.message"],
        "public.calendar-event": ["public.database"],
        "public.database": [],
        "public.to-do-item": [],
        "public.url": ["public.data"],
        "public.file-url": ["public.url"],
        "public.bookmark": [],
        "com.adobe.pdf": ["public.data", "public.composite-content"],
        "org.openxmlformats.wordprocessingml.document": ["public.data", "public.composite-content"],
        "org.oasis-open.opendocument.text": ["public.data", "public.composite-content"],
        "org.idpf.epub-container": ["public.data", "public.composite-content"],
        "public.presentation": ["public.composite-content"],
        "public.spreadsheet": ["public.content"],
        "public.archive": ["public.data"],
        "public.zip-archive": ["public.archive"],
        "public.executable": ["public.data"],
        "public.application": [],
        "public.image": ["public.data", "public.content"],
        "public.jpeg": ["public.image"],
        "public.png": ["public.image"],
        "public.heic": ["public.image"],
        "public.tiff": ["public.image"],
        "com.compuserve.gif": ["public.image"],
        "public.svg-image": ["public.image", "public.xml"],
        "public.audiovisual-content": ["public.data", "public.content"],
        "public.movie": ["public.audiovisual-content"],
        "public.video": ["public.movie"],
        "public.mpeg-4": ["public.movie"],
        "com.apple.quicktime-movie": ["public.movie"],
        "public.audio": ["public.audiovisual-content"],
        "public.mp3": ["public.audio"],
        "public.mpeg-4-audio": ["public.audio", "public.mpeg-4"],
        "com.microsoft.waveform-audio": ["public.audio"],
        "public.playlist": [],
        "public.folder": ["public.directory"],
        "public.directory": ["public.item"],
        "public.item": [],
    ]
}
