import Hummingbird
import Logging
import NIOCore

/// What goes along with a request through Hummingbird's router.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where the request comes from; nil in tests of the router alone.
    let address: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress
    }
}
