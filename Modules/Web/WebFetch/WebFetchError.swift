/// Why something could not be fetched, and what to do next.
public enum WebFetchError: Error, Hashable, Sendable {
    /// This is no address of the web.
    case badAddress(String)
    /// A scheme other than http and https.
    case refusedScheme(String)
    /// The name of the host is not known.
    case unknownHost(String)
    /// The host has an address that must not be reached.
    case privateAddress(url: String, address: String)
    /// Nobody answers there.
    case unreachable(url: String, reason: String)
    /// The encryption is not to be trusted.
    case insecure(url: String, reason: String)
    /// It took longer than allowed.
    case timedOut(url: String)
    /// The answer has more bytes than allowed.
    case tooLarge(url: String, limit: Int)
    /// The head of the answer is longer than 64 KiB.
    case headTooLarge(url: String)
    /// The answer is of another type than those asked for.
    case wrongType(url: String, contentType: String)
    /// The answer breaks off or cannot be unpacked.
    case damaged(url: String, reason: String)
    /// A redirect leads where another one came from.
    case redirectLoop(url: String)
    /// There were more redirects than allowed.
    case tooManyRedirects(url: String, limit: Int)
    /// A redirect leads to another server, which was not to be asked.
    case redirectElsewhere(url: String, target: String)
    /// The site's robots.txt forbids it.
    case disallowed(url: String)
    /// The site's robots.txt cannot be had, so everything is forbidden.
    case robotsUnreachable(url: String, reason: String)
    /// The answer says that there is nothing.
    case status(url: String, status: Int)
    /// The caller did not want it any more.
    case cancelled
    /// There is no memory for it.
    case noMemory
    /// libcurl is not installed.
    case noLibrary
}

extension WebFetchError: CustomStringConvertible {
    /// A stable name of the error for programs and JSON.
    public var code: String {
        switch self {
        case .badAddress: "badAddress"
        case .refusedScheme: "refusedScheme"
        case .unknownHost: "unknownHost"
        case .privateAddress: "privateAddress"
        case .unreachable: "unreachable"
        case .insecure: "insecure"
        case .timedOut: "timedOut"
        case .tooLarge: "tooLarge"
        case .headTooLarge: "headTooLarge"
        case .wrongType: "wrongType"
        case .damaged: "damagedAnswer"
        case .redirectLoop: "redirectLoop"
        case .tooManyRedirects: "tooManyRedirects"
        case .redirectElsewhere: "redirectElsewhere"
        case .disallowed: "disallowed"
        case .robotsUnreachable: "robotsUnreachable"
        case .status: "badStatus"
        case .cancelled: "cancelled"
        case .noMemory: "noMemory"
        case .noLibrary: "noFetchLibrary"
        }
    }

    /// One line: what happened, and what to do.
    public var description: String {
        switch self {
        case .badAddress(let text):
            "“\(text.prefix(200))” is no address of the web; write it as https://example.org/page"
        case .refusedScheme(let url): "“\(url.prefix(200))” is not fetched: only http and https are"
        case .unknownHost(let host):
            "no host is called \(host); correct the address, or look whether the network is there"
        case .privateAddress(let url, let address):
            "\(url) is not fetched: its host is \(address), which is not on the public Internet"
        case .unreachable(let url, let reason): "nobody answers at \(url): \(reason); try again later"
        case .insecure(let url, let reason): "\(url) cannot be trusted: \(reason)"
        case .timedOut(let url): "\(url) took too long; try again later"
        case .tooLarge(let url, let limit): "\(url) has more than \(limit) bytes; fetch it with another program"
        case .headTooLarge(let url): "\(url) answers with a head of more than 64 KiB; tell whoever runs it"
        case .wrongType(let url, let contentType):
            "\(url) is \(contentType), which is not what was asked for; give another address"
        case .damaged(let url, let reason): "the answer of \(url) is damaged: \(reason); try again"
        case .redirectLoop(let url): "\(url) leads in a circle of redirects; tell whoever runs it"
        case .tooManyRedirects(let url, let limit):
            "\(url) is more than \(limit) redirects away; give the address they lead to"
        case .redirectElsewhere(let url, let target):
            "\(url) leads to another server, \(target.prefix(200)); give that address if you trust it"
        case .disallowed(let url): "robots.txt forbids to fetch \(url); save the page with a browser and read the file"
        case .robotsUnreachable(let url, let reason):
            "\(url) cannot be read (\(reason)), so nothing of the site is fetched; try again later"
        case .status(let url, let status): "\(url) answers with status \(status)"
        case .cancelled: "cancelled"
        case .noMemory: "there is no memory for the answer"
        case .noLibrary: "nothing to fetch with is installed; install libcurl4"
        }
    }
}
