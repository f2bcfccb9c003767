import SwitchboardVCard

// Properties without a place in the model, as lines (``Contact/otherProperties``).

extension VCardProperty {
    /// The parameter that holds, in a kept line, the label that its group had in the card.
    private static let labelParameter = "X-LABEL"

    /// The property as it is kept, its group's label as a parameter, and what is embedded in it in the form of version 3.
    ///
    /// - Parameter labels: the labels of the card's groups, by their names in small letters.
    func keptLine(labels: [String: String]) -> String {
        var (property, label) = withoutLabel
        if !group.isEmpty, let own = labels[group.lowercased()] { label = Labels.label(ofWords: own) }
        if let media = EmbeddedMedia(property), let plain = try? VCardProperty(unfolded: media.line) {
            property = plain
        }
        if !label.isEmpty {
            property.parameters.append(Parameter(name: VCardProperty.labelParameter, values: [label]))
        }
        return property.unfolded
    }

    /// The property without its label, and the label.
    var withoutLabel: (property: VCardProperty, label: String) {
        var property = self
        property.parameters.removeAll { $0.name == VCardProperty.labelParameter }
        return (property, Labels.label(ofWords: values(of: VCardProperty.labelParameter).first ?? ""))
    }
}
