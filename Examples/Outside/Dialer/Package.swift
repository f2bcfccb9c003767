// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Dialer",
    dependencies: [.package(name: "switchboard", path: "../../..", traits: ["Database"])],
    targets: [
        .executableTarget(
            name: "Dialer",
            dependencies: [
                .product(name: "SwitchboardContacts", package: "switchboard"),
                .product(name: "SwitchboardIncrementalIndex", package: "switchboard"),
                .product(name: "SwitchboardKeypad", package: "switchboard"),
                .product(name: "SwitchboardPeopleSearch", package: "switchboard"),
                .product(name: "SwitchboardStorage", package: "switchboard"),
                .product(name: "SwitchboardTextNormalization", package: "switchboard"),
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
