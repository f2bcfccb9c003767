import SwitchboardVCard

extension PersonName {
    /// Splits a full name, typed in one field or from a card without components.
    ///
    /// - Commas separate "Family, Given Middle" and "Family, Given, Jr.".
    /// - Prefixes ("Dr.", "Frau") and suffixes ("Jr.", "III", "PhD") are recognized.
    /// - Particles belong to the family name: "Ludwig van Beethoven", "Gabriela de la Cruz", "José Ortega y Gasset",
    ///   "Omar bin Khalid". In Spanish compound given names they belong to the given name: "María del Carmen García".
    /// - A Russian patronymic indicates the order: "Иванов Иван Иванович" has the family name first.
    /// - Chinese, Japanese and Korean names have the family name first, with or without a space.
    /// - A text with digits and no letters, such as a number, becomes the given name.
    /// - Otherwise the last word is the family name and the first the given name. A single word is a given name.
    ///
    /// Hungarian and Vietnamese names, which also start with the family name, are not recognized: "Nagy Anna" has the
    /// given name Nagy. Two Spanish family names cannot be distinguished from a middle name.
    public init(splitting wholeName: String) {
        self.init()
        let scalars = wholeName.unicodeScalars
        if scalars.contains(where: { $0.properties.numericType != nil })
            && !scalars.contains(where: \.properties.isAlphabetic)
        {
            given = PersonName.words(of: wholeName[...]).joined(separator: " ")
            return
        }
        let sections = wholeName.split(separator: ",").map { PersonName.words(of: $0) }.filter { !$0.isEmpty }
        guard var words = sections.first else { return }
        var suffixes: [Substring] = []
        var givenSections = sections.dropFirst()
        // In "John Smith, Jr., PhD", the words after the comma are suffixes, not a given name.
        while let last = givenSections.last, last.allSatisfy({ NameWords.isSuffix($0, afterComma: true) }) {
            suffixes.insert(contentsOf: last, at: 0)
            givenSections = givenSections.dropLast()
        }
        if let givenWords = givenSections.first {
            // "Smith Jr., John"
            suffixes.insert(contentsOf: PersonName.takeSuffixes(from: &words, leaving: 1), at: 0)
            var rest = givenWords + givenSections.dropFirst().joined()
            prefix = PersonName.takePrefixes(from: &rest).joined(separator: " ")
            family = words.joined(separator: " ")
            given = rest.first.map(String.init) ?? ""
            middle = rest.dropFirst().joined(separator: " ")
        } else {
            let eastAsian = words.joined(separator: " ")
            if NameScript.isEastAsian(eastAsian) || eastAsian.contains("・") {
                splitEastAsian(words)
            } else {
                prefix = PersonName.takePrefixes(from: &words).joined(separator: " ")
                suffixes.insert(contentsOf: PersonName.takeSuffixes(from: &words), at: 0)
                splitWords(words)
            }
        }
        suffix = suffixes.joined(separator: " ")
    }

    private static func words(of text: Substring) -> [Substring] {
        text.split(whereSeparator: \.isWhitespace)
    }

    private static func takePrefixes(from words: inout [Substring]) -> [Substring] {
        var prefixes: [Substring] = []
        while words.count > 1, let first = words.first, NameWords.isPrefix(first) {
            prefixes.append(words.removeFirst())
        }
        return prefixes
    }

    /// Leaves at least a given and a family name: "Henry V" has no suffix.
    private static func takeSuffixes(from words: inout [Substring], leaving count: Int = 2) -> [Substring] {
        var suffixes: [Substring] = []
        while words.count > count, let last = words.last, NameWords.isSuffix(last, afterComma: false) {
            suffixes.insert(words.removeLast(), at: 0)
        }
        return suffixes
    }
}

// MARK: - Names of several words

extension PersonName {
    private mutating func splitWords(_ words: [Substring]) {
        guard let first = words.first, let last = words.last else { return }
        guard words.count > 1 else {
            // "Mr. Smith" is a family name, "Anna" a given name.
            if prefix.isEmpty { given = String(first) } else { family = String(first) }
            return
        }
        if words.count == 3, NameWords.isPatronymic(last), !NameWords.isPatronymic(words[1]) {
            (family, given, middle) = (String(first), String(words[1]), String(last))
            return
        }
        let givenCount = NameWords.givenCount(in: words)
        let familyStart = NameWords.familyStart(in: words, after: givenCount)
        let givenWords = words.prefix(familyStart)
        family = words.dropFirst(familyStart).joined(separator: " ")
        given = givenWords.prefix(givenCount).joined(separator: " ")
        middle = givenWords.dropFirst(givenCount).joined(separator: " ")
    }
}

// MARK: - Chinese, Japanese, Korean

extension PersonName {
    private mutating func splitEastAsian(_ words: [Substring]) {
        if words.contains(where: { $0.contains("・") }) {
            // The middle dot separates foreign names, which keep their order.
            let parts = words.flatMap { $0.split(separator: "・") }
            given = parts.first.map(String.init) ?? ""
            family = parts.count > 1 ? parts.last.map(String.init) ?? "" : ""
            middle = parts.dropFirst().dropLast().joined(separator: " ")
        } else if words.count > 1, let first = words.first {
            family = String(first)
            given = words.dropFirst().joined(separator: " ")
        } else if let word = words.first {
            let letters = Array(word)
            let familyLength = NameWords.eastAsianFamilyLength(of: letters)
            family = String(letters.prefix(familyLength))
            given = String(letters.dropFirst(familyLength))
        }
    }
}
