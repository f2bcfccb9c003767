import Foundation
import SwitchboardVCard

/// A photo, sound or key embedded in a card, which has a different form in each version:
///
/// - 2.1: `PHOTO;JPEG;ENCODING=BASE64:/9j/…`
/// - 3.0: `PHOTO;ENCODING=b;TYPE=JPEG:/9j/…`
/// - 4.0: `PHOTO:data:image/jpeg;base64,/9j/…`
///
/// Media are stored in the form of 3.0, so every export yields an equal card.
struct EmbeddedMedia {
    let name: String
    /// The media type: "image/jpeg".
    let mediaType: String
    /// The base64 characters of the value, which may be truncated.
    let base64: String
    /// The other parameters as written in a content line: `;PREF=1`.
    var otherParameters = ""

    private static let names: [String: String] = [
        "PHOTO": "image", "LOGO": "image", "SOUND": "audio", "KEY": "application",
    ]

    init(name: String, mediaType: String, base64: String) {
        (self.name, self.mediaType, self.base64) = (name, mediaType, base64)
    }

    /// Parses a property; nil unless it embeds media in base64.
    init?(_ property: VCardProperty) {
        guard let family = EmbeddedMedia.names[property.name] else { return nil }
        var others = property
        others.parameters.removeAll { ["ENCODING", "VALUE", "MEDIATYPE", "TYPE"].contains($0.name) }
        // TYPE has labels such as HOME and subtypes such as JPEG.
        let labels = property.types.filter { ["home", "work", "pref"].contains($0) }
        let subtypes = property.types.filter { !["home", "work", "pref"].contains($0) }
        if !labels.isEmpty {
            others.parameters.append(.init(name: "TYPE", values: labels.map { $0.uppercased() }))
        }
        others.value = ""
        if ["b", "base64"].contains(property.word(of: "ENCODING")) {
            let subtype = subtypes.first.map { $0.split(separator: "/").last.map(String.init) ?? "" } ?? ""
            let defaultSubtype = property.name == "SOUND" ? "basic" : property.name == "KEY" ? "pgp" : "jpeg"
            self.init(
                name: property.name,
                mediaType: family + "/" + (EmbeddedMedia.isSubtype(subtype) ? subtype : defaultSubtype),
                base64: property.value.filter { !$0.isWhitespace })
        } else {
            let value = property.text
            guard value.lowercased().hasPrefix("data:"), let comma = value.firstIndex(of: ",") else { return nil }
            let description = value[..<comma].dropFirst(5).split(separator: ";", omittingEmptySubsequences: false)
            guard description.last?.lowercased() == "base64" else { return nil }
            let subtype = description.first?.lowercased().split(separator: "/").last.map(String.init) ?? ""
            guard EmbeddedMedia.isSubtype(subtype) else { return nil }
            self.init(
                name: property.name, mediaType: family + "/" + subtype,
                base64: value[value.index(after: comma)...].filter { !$0.isWhitespace })
        }
        guard !base64.isEmpty, base64.utf8.allSatisfy(VCardText.isBase64) else { return nil }
        otherParameters = String(others.unfolded.dropFirst(property.name.count).dropLast())
    }

    private static func isSubtype(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || [0x2D, 0x2B, 0x2E].contains($0)
            }
    }

    /// The decoded bytes; nil if the value is not base64. Missing padding is added.
    var data: Data? {
        var digits = Array(base64.utf8)
        while digits.last == 0x3D { digits.removeLast() }
        guard !digits.isEmpty, digits.count % 4 != 1 else { return nil }
        digits += Array(repeating: 0x3D, count: (4 - digits.count % 4) % 4)
        return Data(base64Encoded: Data(digits))
    }

    private var subtype: Substring { mediaType.split(separator: "/").last ?? "" }

    var line: String { name + otherParameters + ";ENCODING=b;TYPE=" + subtype.uppercased() + ":" + base64 }

    var version4Line: String { name + otherParameters + ":data:" + mediaType + ";base64," + base64 }
}
