import Foundation
import SwitchboardVCard

/// A picture, sound or key inside a card, which each version embeds in its own way:
///
/// - 2.1: `PHOTO;JPEG;ENCODING=BASE64:/9j/…`
/// - 3.0: `PHOTO;ENCODING=b;TYPE=JPEG:/9j/…`
/// - 4.0: `PHOTO:data:image/jpeg;base64,/9j/…`
///
/// They are kept in the form of 3.0, whatever they came in, so that the same card says the same after every export.
struct EmbeddedMedia {
    let name: String
    /// "image/jpeg".
    let mediaType: String
    /// The value: letters and digits of base64 alone, though perhaps torn.
    let base64: String
    /// The parameters that say something else, as they stand in a line: `;PREF=1`.
    var otherParameters = ""

    private static let names: [String: String] = [
        "PHOTO": "image", "LOGO": "image", "SOUND": "audio", "KEY": "application",
    ]

    init(name: String, mediaType: String, base64: String) {
        (self.name, self.mediaType, self.base64) = (name, mediaType, base64)
    }

    /// Nil if the property is none of these, leads to a place instead, or has something else in its value.
    init?(_ property: VCardProperty) {
        guard let family = EmbeddedMedia.names[property.name] else { return nil }
        var others = property
        others.parameters.removeAll { ["ENCODING", "VALUE", "MEDIATYPE", "TYPE"].contains($0.name) }
        // HOME and PREF are no kinds, TYPE=image/jpeg is one.
        let places = property.types.filter { ["home", "work", "pref"].contains($0) }
        let kinds = property.types.filter { !["home", "work", "pref"].contains($0) }
        if !places.isEmpty {
            others.parameters.append(.init(name: "TYPE", values: places.map { $0.uppercased() }))
        }
        others.value = ""
        if ["b", "base64"].contains(property.word(of: "ENCODING")) {
            let kind = kinds.first.map { $0.split(separator: "/").last.map(String.init) ?? "" } ?? ""
            let usual = property.name == "SOUND" ? "basic" : property.name == "KEY" ? "pgp" : "jpeg"
            self.init(
                name: property.name, mediaType: family + "/" + (EmbeddedMedia.isKind(kind) ? kind : usual),
                base64: property.value.filter { !$0.isWhitespace })
        } else {
            let value = property.text
            guard value.lowercased().hasPrefix("data:"), let comma = value.firstIndex(of: ",") else { return nil }
            let description = value[..<comma].dropFirst(5).split(separator: ";", omittingEmptySubsequences: false)
            guard description.last?.lowercased() == "base64" else { return nil }
            let kind = description.first?.lowercased().split(separator: "/").last.map(String.init) ?? ""
            guard EmbeddedMedia.isKind(kind) else { return nil }
            self.init(
                name: property.name, mediaType: family + "/" + kind,
                base64: value[value.index(after: comma)...].filter { !$0.isWhitespace })
        }
        guard !base64.isEmpty, base64.utf8.allSatisfy(EmbeddedMedia.isDigit) else { return nil }
        otherParameters = String(others.unfolded.dropFirst(property.name.count).dropLast())
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x3D: true
        default: false
        }
    }

    private static func isKind(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2D, 0x2B, 0x2E].contains($0)
            }
    }

    /// The bytes; nil if the value is no base64. Its end may be missing.
    var data: Data? {
        var digits = Array(base64.utf8)
        while digits.last == 0x3D { digits.removeLast() }
        guard !digits.isEmpty, digits.count % 4 != 1 else { return nil }
        digits += Array(repeating: 0x3D, count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits))
    }

    private var kind: Substring { mediaType.split(separator: "/").last ?? "" }

    /// The property in the form of version 3.
    var line: String { name + otherParameters + ";ENCODING=b;TYPE=" + kind.uppercased() + ":" + base64 }

    /// The property in the form of version 4.
    var lineOfVersion4: String { name + otherParameters + ":data:" + mediaType + ";base64," + base64 }
}
