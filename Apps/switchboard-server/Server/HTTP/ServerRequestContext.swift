import Hummingbird
import Logging
import NIOCore

/// The request context of Hummingbird's router.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The remote address; nil in tests of the router alone.
    let address: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress
    }
}
