// swift-tools-version: 6.1
import PackageDescription

// A package whose targets and types have the names of modules and types in Switchboard.
let package = Package(
    name: "Outsider",
    products: [
        .library(name: "Storage", targets: ["Storage"]),
        .library(name: "Contacts", targets: ["Contacts"]),
        .library(name: "Reminders", targets: ["Reminders"]),
        .library(name: "People", targets: ["People"]),
    ],
    dependencies: [
        // SwitchboardKit needs the trait Reminders, which enables Database. Elsewhere: .package(url: "…", branch: "main", …)
        .package(name: "switchboard", path: "../..", traits: ["Reminders"])
    ],
    targets: [
        .target(name: "Storage"),
        .target(name: "Contacts"),
        .target(name: "Reminders"),
        .target(name: "People", dependencies: ["Contacts"]),
        .executableTarget(
            name: "Outsider",
            dependencies: [
                "Storage", "Contacts", "Reminders", "People",
                .product(name: "SwitchboardContacts", package: "switchboard"),
                .product(name: "SwitchboardStorage", package: "switchboard"),
                .product(name: "SwitchboardReminders", package: "switchboard"),
                .product(name: "SwitchboardSearchEngine", package: "switchboard"),
                .product(name: "SwitchboardKit", package: "switchboard"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
