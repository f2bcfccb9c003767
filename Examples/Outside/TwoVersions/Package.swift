// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "TwoVersions",
    dependencies: [
        .package(name: "switchboard", path: "../../..", traits: ["Database"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .executableTarget(
            name: "TwoVersions",
            dependencies: [
                .product(name: "SwitchboardContacts", package: "switchboard"),
                .product(name: "SwitchboardStorage", package: "switchboard"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
