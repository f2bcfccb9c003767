import Testing

@testable import LookupEngine
