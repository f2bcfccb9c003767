import Testing

@testable import KeypadInput
