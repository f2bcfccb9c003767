import SwitchboardWebMarkup
import Testing

@Suite("Microdata")
struct MicrodataTests {
    @Test("A restaurant is read with its nested things")
    func restaurant() throws {
        let html = Pages.body(
            """
            <div itemscope itemtype="https://schema.org/Restaurant" itemid="#top">
              <h1 itemprop="name">Ocakbaşı <b>Usta</b></h1> <img itemprop="image" src="../usta.jpg" alt="">
              <p itemprop="description">Grilled
                 over coal.<br>Since 1954.</p>
              <div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
                <span itemprop="streetAddress">Çınar Sk. 4</span>, <span itemprop="addressLocality">İzmir</span>
                <meta itemprop="addressCountry" content="TR"></div>
              <span itemprop="geo" itemscope itemtype="https://schema.org/GeoCoordinates">
                <meta itemprop="latitude" content="38.42"><meta itemprop="longitude" content="27.14"></span>
              <a itemprop="telephone" href="tel:+902320000000">0232 000 00 00</a>
              <div itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">
                <span itemprop="ratingValue">4,5</span> of <span itemprop="bestRating">5</span>,
                <data itemprop="reviewCount" value="87">many</data></div>
              <time itemprop="openingHours" datetime="Tu-Su 12:00-23:00">daily but Monday</time>
              <span itemprop="priceRange">₺₺</span>
            </div>
            """)
        let page = try Pages.read(html)
        let item = try #require(page.items.first)
        #expect(item.kind == "Restaurant")
        #expect(
            item.differences([
                "title": "Ocakbaşı Usta", "thumbnailURL": "https://www.example.org/usta.jpg",
                "contentDescription": "Grilled over coal. Since 1954.", "thoroughfare": "Çınar Sk. 4", "city": "İzmir",
                "country": "TR", "fullyFormattedAddress": "Çınar Sk. 4, İzmir, TR", "latitude": "38.42",
                "longitude": "27.14",
                "phoneNumbers": "+902320000000", "supportsPhoneCall": "true", "supportsNavigation": "true",
                "rating": "4.5",
                "reviewCount": "87", "openingHours": "Tu-Su 12:00-23:00", "priceRange": "₺₺",
            ]) == [])
    }

    static let values: [(String, String)] = [
        ("<span itemprop=name>Kelp</span>", "Kelp"),
        ("<span itemprop=name content='Kelp'>other</span>", "Kelp"),
        ("<meta itemprop=name content=Kelp>", "Kelp"),
        ("<data itemprop=name value=Kelp>other</data>", "Kelp"),
        ("<meter itemprop=name value=Kelp>other</meter>", "Kelp"),
        ("<time itemprop=name datetime=Kelp>other</time>", "Kelp"),
        ("<time itemprop=name>Kelp</time>", "Kelp"),
        ("<a itemprop=name href=/x>Kelp</a>", "Kelp"),
        ("<p itemprop='headline name  description'>Kelp", "Kelp"),
        ("<span itemprop='http://schema.org/name'>Kelp</span>", "Kelp"),
        ("<div><div><ul><li itemprop=name> Kelp\n </ul></div></div>", "Kelp"),
        ("<span itemprop=name>K<script>x</script>e<style>y</style>lp</span>", "Kelp"),
        ("<span itemprop=name>&#75;e&lp;lp</span>", "Ke&lp;lp"),
    ]

    @Test("The value of a property depends on its element", arguments: values)
    func valuesByElement(_ example: (html: String, name: String)) throws {
        let html = Pages.body("<div itemscope itemtype=http://schema.org/Product>\(example.html)</div>")
        #expect(try Pages.read(html).items.first?.shown("title") == example.name)
    }

    static let addresses: [(String, String)] = [
        ("<img itemprop=image src='/a b.png'>", "https://www.example.org/a%20b.png"),
        ("<link itemprop=image href=//cdn.example/i.png>", "https://cdn.example/i.png"),
        ("<object itemprop=image data=i.png></object>", "https://www.example.org/place/i.png"),
        ("<video itemprop=image src=i.png></video>", "https://www.example.org/place/i.png"),
        ("<span itemprop=image>i.png</span>", "https://www.example.org/place/i.png"),
        (
            "<span itemprop=image itemscope itemtype=https://schema.org/ImageObject><img itemprop=contentUrl src=i.png></span>",
            "https://www.example.org/place/i.png"
        ),
    ]

    @Test("URLs are resolved on every kind of element", arguments: addresses)
    func addressesByElement(_ example: (html: String, address: String)) throws {
        let html = Pages.body(
            "<div itemscope itemtype=http://schema.org/Product><b itemprop=name>x</b>\(example.html)</div>")
        #expect(try Pages.read(html).items.first?.shown("thumbnailURL") == example.address)
    }

    @Test("References are followed, and cycles terminate")
    func references() throws {
        let html = Pages.body(
            """
            <div itemscope itemtype=https://schema.org/Event itemref="when where nowhere when" id=event><b itemprop=name>Fair</b></div>
            <p id=when><time itemprop=startDate datetime=2026-12-24>Christmas Eve</time></p>
            <div id=where><div itemprop=location itemscope itemtype=https://schema.org/Place itemref=event>
              <i itemprop=name>Green</i></div></div>
            <div itemscope itemtype=https://schema.org/Event itemref=loop><b itemprop=name>Loop</b>
              <div id=loop itemprop=subEvent itemscope itemref=loop></div></div>
            """)
        let items = try Pages.read(html).items
        #expect(items.map { $0.shown("title") } == ["The title", "Fair", "Loop"])
        #expect(
            items[1].differences(["startDate": "2026-12-24T00:00:00Z", "allDay": "true", "namedLocation": "Green"])
                == [])
    }

    @Test("A thing of another vocabulary is not an item")
    func otherVocabulary() throws {
        let html = Pages.body("<div itemscope itemtype=https://vocab.example/Thing><b itemprop=name>x</b></div>")
        #expect(try Pages.read(html).items.map(\.kind) == ["WebPage"])
    }
}
