import SwitchboardWebMarkup
import Testing

@Suite("Tags")
struct TagTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let head: String
        let kind: String
        let expected: [String: String]
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "plain HTML",
            head: """
                <meta name=Description content="  What it \n is. "><meta name=keywords content="sea, tide,, sea">
                <meta name=author content="Mira"><link rel="apple-touch-icon" href=/icon.png>
                """,
            kind: "WebPage",
            expected: [
                "title": "The title", "contentDescription": "What it is.", "keywords": "sea | tide",
                "authorNames": "Mira",
                "thumbnailURL": "https://www.example.org/icon.png", "contentType": "public.html", "url": Pages.address,
            ]),
        Case(
            name: "an Open Graph article",
            head: """
                <meta property="og:type" content="article"><meta property="og:title" content="Tides &amp; moons">
                <meta property="og:description" content="Why."><meta property="og:image" content="/moon.jpg">
                <meta property="og:image" content="/second.jpg"><meta property="og:site_name" content="Sea Notes">
                <meta property="article:published_time" content="2026-11-20T10:00:00+03:00">
                <meta property="article:author" content="https://social.example/mira"><meta property="article:author" content="Mira">
                <meta property="article:tag" content="moon"><meta property="article:tag" content="sea">
                <meta property="article:section" content="Science">
                """,
            kind: "Article",
            expected: [
                "title": "Tides & moons", "contentDescription": "Why.",
                "thumbnailURL": "https://www.example.org/moon.jpg",
                "siteName": "Sea Notes", "datePublished": "2026-11-20T07:00:00Z", "authorNames": "Mira",
                "keywords": "moon | sea | Science",
            ]),
        Case(
            name: "an Open Graph song",
            head: """
                <meta property="og:type" content="music.song"><meta property="og:title" content="Low Water">
                <meta property="og:audio" content="https://audio.example/1.mp3"><meta property="music:duration" content="185">
                <meta property="music:musician" content="Nine Horns">
                """,
            kind: "MusicRecording",
            expected: [
                "audioURL": "https://audio.example/1.mp3", "duration": "185", "authorNames": "Nine Horns",
                "contentType": "public.audio",
            ]),
        Case(
            name: "an Open Graph film, embedded",
            head: """
                <meta property="og:type" content="video.movie"><meta property="og:video:url" content="/embed/1">
                <meta property="og:video:type" content="text/html"><meta property="video:duration" content="7800">
                <meta property="video:tag" content="sea">
                """,
            kind: "Movie",
            expected: [
                "embedURL": "https://www.example.org/embed/1", "duration": "7800", "keywords": "sea",
                "contentType": "public.movie",
            ]),
        Case(
            name: "an Open Graph book",
            head: """
                <meta property="og:type" content="book"><meta property="book:isbn" content="9780000000001">
                <meta property="book:release_date" content="2020-02-29"><meta property="book:author" content="R. Idowu">
                """,
            kind: "Book",
            expected: ["isbn": "9780000000001", "datePublished": "2020-02-29T00:00:00Z", "authorNames": "R. Idowu"]),
        Case(
            name: "an Open Graph profile",
            head: """
                <meta property="og:type" content="profile"><meta property="og:title" content="Mira's page">
                <meta property="profile:first_name" content="Mira"><meta property="profile:last_name" content="K.">
                <meta property="profile:username" content="mirak">
                """,
            kind: "Person", expected: ["title": "Mira's page", "alternateNames": "Mira K. | mirak"]),
        Case(
            name: "an Open Graph product",
            head: """
                <meta property="og:type" content="product"><meta property="product:price:amount" content="12,50">
                <meta property="product:price:currency" content="EUR">
                """,
            kind: "Product", expected: ["price": "12.5", "priceCurrency": "EUR"]),
        Case(
            name: "an Open Graph business",
            head: """
                <meta property="og:type" content="business.business"><meta property="place:location:latitude" content="38.42">
                <meta property="place:location:longitude" content="27.14"><meta property="business:contact_data:locality" content="İzmir">
                <meta property="business:contact_data:phone_number" content="+90 232 000 00 00">
                """,
            kind: "LocalBusiness",
            expected: [
                "latitude": "38.42", "city": "İzmir", "phoneNumbers": "+90 232 000 00 00", "supportsPhoneCall": "true",
                "supportsNavigation": "true",
            ]),
        Case(
            name: "a Twitter card after Open Graph",
            head: """
                <meta name="twitter:card" content="player"><meta name="twitter:title" content="Card"><meta property="og:title" content="Graph">
                <meta name="twitter:description" content="Of the card."><meta name="twitter:image:src" content="/c.png">
                <meta name="twitter:player" content="https://player.example/1">
                """,
            kind: "WebPage",
            expected: [
                "title": "Graph", "contentDescription": "Of the card.", "thumbnailURL": "https://www.example.org/c.png",
                "embedURL": "https://player.example/1",
            ]),
        Case(
            name: "a Smart App Banner",
            head: """
                <meta name="apple-itunes-app" content="app-id=123456789, affiliate-data=ct=site&pt=1, app-argument=tides://show/7?a=1,2">
                """,
            kind: "WebPage",
            expected: [
                "appStoreID": "123456789", "affiliateData": "ct=site&pt=1", "appArgument": "tides://show/7?a=1,2",
            ]),
        Case(
            name: "App Links",
            head: """
                <meta property="al:ios:url" content="tides://show/7"><meta property="al:ios:app_store_id" content="id99">
                <meta property="al:ios:app_name" content="Tides"><meta property="al:android:url" content="tides://show/7">
                <meta property="al:android:package" content="org.example.tides"><meta property="al:android:app_name" content="Tides!">
                <meta property="al:web:url" content="/show/7">
                """,
            kind: "WebPage",
            expected: [
                "iosURL": "tides://show/7", "appStoreID": "99", "iosAppName": "Tides", "androidURL": "tides://show/7",
                "androidPackage": "org.example.tides", "androidAppName": "Tides!",
                "webURL": "https://www.example.org/show/7",
            ]),
        Case(
            name: "app tags of a Twitter card",
            head: """
                <meta name="twitter:app:id:iphone" content="5"><meta name="twitter:app:url:iphone" content="tides://x">
                <meta name="twitter:app:id:googleplay" content="org.example.tides">
                """,
            kind: "WebPage",
            expected: ["appStoreID": "5", "iosURL": "tides://x", "androidPackage": "org.example.tides"]),
        Case(
            name: "a property with several names, and a name for a property",
            head: "<meta property='og:title twitter:title' content=Both><meta name=og:description content=Named>",
            kind: "WebPage", expected: ["title": "Both", "contentDescription": "Named"]),
    ]

    @Test("Tags become attributes", arguments: cases)
    func tags(_ example: Case) throws {
        let item = try #require(try Pages.read(Pages.body("", head: example.head)).items.first)
        #expect(item.differences(example.expected) == [])
        #expect(item.kind == example.kind)
    }

    static let harmful = [
        "<meta property='og:image' content='javascript:alert(1)'><meta property='og:image' content='data:image/png;base64,AA'>",
        "<meta property='og:image' content='file:///etc/passwd'>", "<meta property='og:image' content='http://'>",
        "<meta property='al:ios:url' content='javascript:alert(1)'>",
        "<meta property='al:android:url' content='file:///x'>",
        "<meta name='apple-itunes-app' content='app-id=abc, app-argument=javascript:x'>",
        "<meta name='twitter:player' content='ftp://example.org/x'>",
    ]

    @Test("URLs with harmful schemes are ignored", arguments: harmful)
    func harmfulAddresses(head: String) throws {
        let item = try #require(try Pages.read(Pages.body("", head: head)).items.first)
        #expect(
            Set(item.attributes.keys).union(item.custom.keys).subtracting(["title", "url", "contentType"]) == [])
    }

    static let languages: [(String, String?)] = [
        ("<html lang=de-CH>", "de-CH"), ("<html lang=''><meta property=og:locale content=pt_BR>", "pt-BR"),
        ("<meta http-equiv=Content-Language content='tr, en'>", "tr"), ("<html lang='not a language'>", nil),
        ("<p>", nil),
        (
            "<script type=application/ld+json>{\"@type\":\"Article\",\"name\":\"x\",\"inLanguage\":\"fi\"}</script>",
            "fi"
        ),
    ]

    @Test("The language is that of the page, its tags or its main thing", arguments: languages)
    func language(_ example: (html: String, language: String?)) throws {
        #expect(try Pages.read(example.html).language == example.language)
    }
}
