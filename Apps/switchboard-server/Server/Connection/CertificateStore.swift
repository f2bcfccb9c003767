import NIOCore
import NIOSSL
import SwitchboardKit
import Synchronization

/// The TLS certificate of the server, which can be replaced without closing connections.
final class CertificateStore: Sendable {
    private struct Loaded {
        let certificate: String
        let key: String
        let chain: [NIOSSLCertificateSource]
        let privateKey: NIOSSLPrivateKeySource

        init(certificate: String, key: String) throws {
            (self.certificate, self.key) = (certificate, key)
            chain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
            privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            // Detect a key that belongs to another certificate now, not when a client connects.
            _ = try NIOSSLContext(
                configuration: .makeServerConfiguration(certificateChain: chain, privateKey: privateKey))
        }
    }

    private let loaded: Mutex<Loaded>

    /// Loads the PEM files of a certificate chain and its key.
    ///
    /// - Throws: `SwitchboardError` if they cannot be used.
    init(certificate: String, key: String) throws {
        loaded = Mutex(try Self.translating(certificate, key) { try Loaded(certificate: certificate, key: key) })
    }

    /// Replaces the certificate for later connections.
    ///
    /// - Throws: `SwitchboardError` if the files cannot be used; the old certificate is then kept.
    func load(certificate: String, key: String) throws {
        let new = try Self.translating(certificate, key) { try Loaded(certificate: certificate, key: key) }
        loaded.withLock { $0 = new }
    }

    /// The configuration of the server, which looks up the current certificate for each connection.
    var configuration: TLSConfiguration {
        let current = loaded.withLock { $0 }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: current.chain, privateKey: current.privateKey)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = SecureChannel.protocols
        configuration.sslContextCallback = { _, promise in
            var override = NIOSSLContextConfigurationOverride()
            let current = self.loaded.withLock { $0 }
            override.certificateChain = current.chain
            override.privateKey = current.privateKey
            promise.succeed(override)
        }
        return configuration
    }

    /// Calls a closure and adds the names of the certificate files to its errors.
    func translatingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        let current = loaded.withLock { $0 }
        return try Self.translating(current.certificate, current.key, body)
    }

    private static func translating<Value>(_ certificate: String, _ key: String, _ body: () throws -> Value) throws
        -> Value
    {
        do {
            return try body()
        } catch {
            throw SwitchboardError(
                code: "badCertificate", message: "cannot use certificate \(certificate) with key \(key): \(error)",
                status: .malformed)
        }
    }
}
