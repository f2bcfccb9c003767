import Testing

@testable import TextFolding
