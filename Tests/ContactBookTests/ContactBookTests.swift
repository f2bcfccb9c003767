import Testing

@testable import ContactBook
