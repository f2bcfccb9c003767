import SwitchboardVCard

/// The words for what a number or address is for, in the model and in the formats.
///
/// The model has the words people say: "mobile", "home", "work", "work mobile", "home fax", "pager", "main", "other".
/// Any other label is the owner's own and stays as it is.
enum Labels {
    /// The label that the types of a vCard property mean: CELL is "mobile", WORK with FAX is "work fax".
    static func label(ofTypes types: [String]) -> String {
        var place = ""
        var kind = ""
        var own: [String] = []
        for type in types {
            switch type {
            case "home", "work": if place.isEmpty { place = type }
            case "cell", "mobile": if kind.isEmpty || kind == "iphone" { kind = "mobile" }
            case "fax", "pager", "main": kind = type
            case "car": if kind.isEmpty { kind = "car" }
            case "iphone": if kind.isEmpty { kind = "iphone" }
            case "voice", "pref", "internet", "x400", "msg", "text", "sms", "video", "dom", "intl", "postal", "parcel",
                "other", "textphone", "uri", "":
                continue
            default: own.append(self.label(ofWords: type.hasPrefix("x-") ? String(type.dropFirst(2)) : type))
            }
        }
        let known = [place, kind].filter { !$0.isEmpty }.joined(separator: " ")
        if !known.isEmpty { return known }
        if let first = own.first { return first }
        return types.contains("other") ? "other" : ""
    }

    /// The vCard types that say a label, in capitals; nil if it needs a label of its own (`X-ABLabel`).
    static func types(of label: String) -> [String]? {
        if label.isEmpty { return [] }
        var types: [String] = []
        for word in label.split(separator: " ") {
            switch word {
            case "home", "work", "fax", "pager", "car", "main", "other", "iphone": types.append(word.uppercased())
            case "mobile": types.append("CELL")
            default: return nil
            }
        }
        // "mobile home" is another label than "home mobile", which its types say.
        return self.label(ofTypes: types.map { $0.lowercased() }) == label ? types : nil
    }

    /// A label as `X-ABLabel` has it: those that Apple translates for whoever reads them stand in its brackets.
    static func ownLabel(_ label: String) -> String {
        translated.contains(label) ? "_$!<" + label + ">!$_" : label
    }

    private static let translated: Set<String> = [
        "HomePage", "Anniversary", "Spouse", "Partner", "Mother", "Father", "Parent", "Brother", "Sister", "Child",
        "Son",
        "Daughter", "Friend", "Assistant", "Manager", "School",
    ]

    /// A label as address books write it, in the words of the model: "Mobile Phone", "_$!<Mobile>!$_", "* Work Fax".
    static func label(ofWords words: String) -> String {
        var text = words.trimmingWhitespace
        while true {
            if text.hasPrefix("_$!<"), text.hasSuffix(">!$_"), text.count >= 8 {
                text = String(text.dropFirst(4).dropLast(4)).trimmingWhitespace
            } else if text.hasPrefix("*") {
                // Google marks the preferred one with an asterisk.
                text = String(text.dropFirst()).trimmingWhitespace
            } else {
                break
            }
        }
        let small = text.lowercased()
        switch small {
        case "mobile", "cell", "mobile phone", "cell phone", "cellular", "cellphone": return "mobile"
        case "home", "work", "main", "pager", "other", "fax", "car", "iphone": return small
        case "business", "company", "company main": return "work"
        case "homefax", "home fax": return "home fax"
        case "workfax", "work fax", "business fax": return "work fax"
        case "workmobile", "work mobile", "work cell": return "work mobile"
        case "workpager", "work pager": return "work pager"
        default: return text
        }
    }
}
