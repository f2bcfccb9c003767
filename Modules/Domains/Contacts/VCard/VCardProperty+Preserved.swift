import SwitchboardVCard

// The content lines of ``Contact/otherProperties``.

extension VCardProperty {
    /// The parameter for the label of the property's group.
    private static let labelParameter = "X-LABEL"

    /// Returns the content line with the label of its group as a parameter and embedded media in the form of version
    /// 3.0.
    ///
    /// - Parameter labels: The labels by lowercase group name.
    func preservedLine(labels: [String: String]) -> String {
        var (property, label) = separatingLabel
        if !group.isEmpty, let custom = labels[group.lowercased()] { label = Labels.label(ofWords: custom) }
        if let media = EmbeddedMedia(property), let normalized = try? VCardProperty(unfolded: media.line) {
            property = normalized
        }
        if !label.isEmpty {
            property.parameters.append(Parameter(name: VCardProperty.labelParameter, values: [label]))
        }
        return property.unfolded
    }

    /// The property without its label parameter, and the label.
    var separatingLabel: (property: VCardProperty, label: String) {
        var property = self
        property.parameters.removeAll { $0.name == VCardProperty.labelParameter }
        return (property, Labels.label(ofWords: values(of: VCardProperty.labelParameter).first ?? ""))
    }
}
