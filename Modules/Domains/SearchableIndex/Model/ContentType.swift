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

    /// Types, each with those that conform to it, in the order in which a type lists its parents.
    private static let table = """
        public.item: public.data public.directory
        public.data: public.text public.email-message public.url com.adobe.pdf \
            org.openxmlformats.wordprocessingml.document org.oasis-open.opendocument.text org.idpf.epub-container \
            public.archive public.executable public.image public.audiovisual-content
        public.content: public.composite-content public.text public.spreadsheet public.image \
            public.audiovisual-content
        public.composite-content: com.adobe.pdf org.openxmlformats.wordprocessingml.document \
            org.oasis-open.opendocument.text org.idpf.epub-container public.presentation
        public.directory: public.folder
        public.text: public.plain-text public.rtf public.html public.xml public.json public.delimited-values-text \
            public.vcard
        public.plain-text: public.utf8-plain-text public.source-code net.daringfireball.markdown
        public.delimited-values-text: public.comma-separated-values-text
        public.contact: public.vcard
        public.message: public.email-message
        public.database: public.calendar-event
        public.url: public.file-url
        public.archive: public.zip-archive
        public.image: public.jpeg public.png public.heic public.tiff com.compuserve.gif public.svg-image
        public.xml: public.svg-image
        public.audiovisual-content: public.movie public.audio
        public.movie: public.video public.mpeg-4 com.apple.quicktime-movie
        public.audio: public.mp3 public.mpeg-4-audio com.microsoft.waveform-audio
        public.mpeg-4: public.mpeg-4-audio
        """

    private static let parents: [String: [String]] = table.split(separator: "\n").reduce(into: [:]) { parents, line in
        let types = line.split { $0 == ":" || $0 == " " }.map(String.init)
        for type in types.dropFirst() { parents[type, default: []].append(types[0]) }
    }
}
