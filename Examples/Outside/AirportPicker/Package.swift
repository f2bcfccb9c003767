// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "AirportPicker",
    dependencies: [.package(name: "switchboard", path: "../../..", traits: ["Database"])],
    targets: [
        .executableTarget(
            name: "AirportPicker",
            dependencies: [
                .product(name: "SwitchboardAirports", package: "switchboard"),
                .product(name: "SwitchboardIncrementalIndex", package: "switchboard"),
                .product(name: "SwitchboardKeypad", package: "switchboard"),
                .product(name: "SwitchboardStorage", package: "switchboard"),
                .product(name: "SwitchboardTextNormalization", package: "switchboard"),
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
