/// A recipe of the cookbook.
struct Recipe {
    let id: String
    let title: String
    let ingredients: [String]
    let steps: [String]

    static let all = [
        Recipe(
            id: "ribollita", title: "Ribollita", ingredients: ["kale", "beans", "bread"],
            steps: ["Cook the beans.", "Add the kale.", "Add the bread, and wait a day."]),
        Recipe(
            id: "börek", title: "Börek with leeks", ingredients: ["leeks", "yufka", "yoghurt"],
            steps: ["Fry the leeks.", "Fill the yufka.", "Bake for half an hour."]),
    ]
}
