import SwitchboardWebFetch

func webFetch() throws {
    let fetcher = WebFetcher(allowsPrivateAddresses: false)
    do {
        let page = try fetcher.fetch(FetchRequest("http://127.0.0.1/soup", obeysRobots: true))
        try page.requireSuccess()
        print(page.url, page.contentType ?? "–", page.body.count)
    } catch let error as WebFetchError {
        print(error.code)  // private addresses are refused
    }
}
