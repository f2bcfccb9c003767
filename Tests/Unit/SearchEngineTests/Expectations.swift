import SwitchboardSearchEngine
import Testing

extension SearchIndex {
    func expectInvariants(sourceLocation: SourceLocation = #_sourceLocation) {
        let broken = brokenInvariants()
        #expect(broken.isEmpty, "\(broken.prefix(5))", sourceLocation: sourceLocation)
    }
}
