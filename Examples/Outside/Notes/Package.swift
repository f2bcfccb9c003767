// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Notes",
    dependencies: [.package(name: "switchboard", path: "../../..", traits: ["Database"])],
    targets: [
        .executableTarget(
            name: "Notes",
            dependencies: [
                .product(name: "SwitchboardIncrementalIndex", package: "switchboard"),
                .product(name: "SwitchboardSearchableIndex", package: "switchboard"),
                .product(name: "SwitchboardStorage", package: "switchboard"),
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
