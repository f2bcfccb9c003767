import SwitchboardVCard

/// Conversions between the labels of the model and of the file formats.
///
/// The model uses "mobile", "home", "work", "work mobile", "home fax", "pager", "main" and "other". Any other label is
/// custom and stays unchanged.
package enum Labels {
    /// Returns the label for the types of a vCard property: "mobile" for CELL, "work fax" for WORK and FAX.
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

    /// Returns the vCard types of a label in capitals; nil for a custom label, which needs `X-ABLabel`.
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
        // The order of types is lost: "mobile home" would be read back as "home mobile".
        return self.label(ofTypes: types.map { $0.lowercased() }) == label ? types : nil
    }

    /// Returns the value of `X-ABLabel`. Labels that Apple localizes are enclosed in its brackets.
    static func customLabel(_ label: String) -> String {
        localized.contains(label) ? "_$!<" + label + ">!$_" : label
    }

    private static let localized: Set<String> = [
        "HomePage", "Anniversary", "Spouse", "Partner", "Mother", "Father", "Parent", "Brother", "Sister", "Child",
        "Son", "Daughter", "Friend", "Assistant", "Manager", "School",
    ]

    /// Returns the model's label for a label of another program: "Mobile Phone", "_$!<Mobile>!$_", "* Work Fax".
    package static func label(ofWords words: String) -> String {
        var text = words.trimmingWhitespace
        while true {
            if text.hasPrefix("_$!<"), text.hasSuffix(">!$_"), text.count >= 8 {
                text = String(text.dropFirst(4).dropLast(4)).trimmingWhitespace
            } else if text.hasPrefix("*") {
                // Google marks the preferred entry with an asterisk.
                text = String(text.dropFirst()).trimmingWhitespace
            } else {
                break
            }
        }
        let lowercased = text.lowercased()
        switch lowercased {
        case "mobile", "cell", "mobile phone", "cell phone", "cellular", "cellphone": return "mobile"
        case "home", "work", "main", "pager", "other", "fax", "car", "iphone": return lowercased
        case "business", "company", "company main": return "work"
        case "homefax", "home fax": return "home fax"
        case "workfax", "work fax", "business fax": return "work fax"
        case "workmobile", "work mobile", "work cell": return "work mobile"
        case "workpager", "work pager": return "work pager"
        default: return text
        }
    }
}
