// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "OneModule",
    dependencies: [.package(name: "switchboard", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "OneModule",
            dependencies: [
                .product(name: "SwitchboardSearchEngine", package: "switchboard")
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
