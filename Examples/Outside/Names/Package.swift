// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Names",
    dependencies: [.package(name: "switchboard", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Names",
            dependencies: [
                .product(name: "SwitchboardSearchEngine", package: "switchboard")
            ],
            path: ".", swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
    ]
)
