// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "AppTests",
    dependencies: [.package(name: "switchboard", path: "../../..", traits: ["Database"])],
    targets: [
        .testTarget(
            name: "AppTests",
            dependencies: [
                .product(name: "SwitchboardContacts", package: "switchboard"),
                .product(name: "SwitchboardIncrementalIndex", package: "switchboard"),
                .product(name: "SwitchboardKeypad", package: "switchboard"),
                .product(name: "SwitchboardPeopleSearch", package: "switchboard"),
                .product(name: "SwitchboardTesting", package: "switchboard"),
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
