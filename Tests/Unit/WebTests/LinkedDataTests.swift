import SwitchboardWebMarkup
import Testing

@Suite("JSON-LD")
struct LinkedDataTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let json: String
        let kind: String
        let expected: [String: String]
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "a recipe",
            json: """
                {"@context": "https://schema.org/", "@type": "Recipe", "name": "Lentil soup &amp; bread",
                 "description": "<p>A <b>warm</b> soup.</p><p>For&nbsp;winter.</p>", "image": ["/soup.jpg", "/soup2.jpg"],
                 "author": {"@type": "Person", "name": "Asel Nurlan"}, "datePublished": "2026-11-02",
                 "prepTime": "PT15M", "cookTime": "PT40M", "totalTime": "PT55M", "recipeYield": 4,
                 "recipeCategory": "Soup", "recipeCuisine": "Turkish", "keywords": "lentils, winter",
                 "recipeIngredient": ["250 g red lentils", "1 onion", "1 onion"],
                 "recipeInstructions": [{"@type": "HowToSection", "name": "Base", "itemListElement": [
                    {"@type": "HowToStep", "text": "Fry the onion."}]}, {"@type": "HowToStep", "text": "Boil."}],
                 "nutrition": {"@type": "NutritionInformation", "calories": "320 kcal"},
                 "aggregateRating": {"@type": "AggregateRating", "ratingValue": "9", "bestRating": "10", "ratingCount": 31}}
                """,
            kind: "Recipe",
            expected: [
                "title": "Lentil soup & bread", "contentDescription": "A warm soup. For winter.",
                "thumbnailURL": "https://www.example.org/soup.jpg", "authorNames": "Asel Nurlan",
                "datePublished": "2026-11-02T00:00:00Z", "prepTime": "900", "cookTime": "2400", "totalTime": "3300",
                "recipeYield": "4", "keywords": "lentils | winter | Soup | Turkish",
                "recipeIngredient": "250 g red lentils | 1 onion", "textContent": "Fry the onion. Boil.",
                "calories": "320 kcal",
                "rating": "4.5", "ratingCount": "31", "contentType": "public.html", "url": Pages.address,
            ]),
        Case(
            name: "an event with a place and offers",
            json: """
                {"@context": "http://schema.org", "@type": "MusicEvent", "name": "Brass night", "startDate": "2026-12-05T20:00+01:00",
                 "endDate": "2026-12-05T23:30+01:00", "eventStatus": "https://schema.org/EventScheduled",
                 "location": {"@type": "Place", "name": "Old Depot", "address": {"@type": "PostalAddress",
                   "streetAddress": "Hafenstraße 7", "postalCode": "20457", "addressLocality": "Hamburg",
                   "addressRegion": "HH", "addressCountry": {"@type": "Country", "name": "Germany"}},
                   "geo": {"@type": "GeoCoordinates", "latitude": 53.543, "longitude": "9.988"}},
                 "performer": [{"@type": "MusicGroup", "name": "Nine Horns"}, "DJ Ada"],
                 "organizer": {"@type": "Organization", "name": "Depot e.V."},
                 "offers": [{"@type": "Offer", "price": "18.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
                   {"@type": "Offer", "price": 25, "priceCurrency": "EUR"}]}
                """,
            kind: "MusicEvent",
            expected: [
                "title": "Brass night", "startDate": "2026-12-05T19:00:00Z", "endDate": "2026-12-05T22:30:00Z",
                "allDay": "false",
                "namedLocation": "Old Depot", "thoroughfare": "Hafenstraße 7", "postalCode": "20457", "city": "Hamburg",
                "stateOrProvince": "HH", "country": "Germany",
                "fullyFormattedAddress": "Hafenstraße 7, 20457, Hamburg, HH, Germany", "latitude": "53.543",
                "longitude": "9.988", "supportsNavigation": "true", "performerNames": "Nine Horns | DJ Ada",
                "organizerName": "Depot e.V.", "lowPrice": "18", "highPrice": "25", "priceCurrency": "EUR",
                "offerCount": "2", "availability": "InStock", "eventStatus": "EventScheduled",
                "contentType": "public.calendar-event",
            ]),
        Case(
            name: "a restaurant",
            json: """
                {"@context": "https://schema.org", "@type": ["Restaurant", "LocalBusiness"], "name": "Chez Nous",
                 "telephone": "+33 1 99 00 12 34", "email": "mailto:bonjour@example.org", "priceRange": "€€–€€€",
                 "servesCuisine": ["French", "Breton"], "address": "3 rue des Lilas, Paris",
                 "geo": {"latitude": "48,87", "longitude": "2,39"},
                 "openingHoursSpecification": [{"dayOfWeek": ["Monday", "https://schema.org/Tuesday"], "opens": "12:00", "closes": "14:30"}],
                 "aggregateRating": {"ratingValue": 4.3, "reviewCount": "1,204"}, "logo": {"@type": "ImageObject", "url": "logo.png"}}
                """,
            kind: "Restaurant",
            expected: [
                "title": "Chez Nous", "phoneNumbers": "+33 1 99 00 12 34", "supportsPhoneCall": "true",
                "emailAddresses": "bonjour@example.org", "priceRange": "€€–€€€", "keywords": "French | Breton",
                "fullyFormattedAddress": "3 rue des Lilas, Paris", "latitude": "48.87", "longitude": "2.39",
                "supportsNavigation": "true", "openingHours": "Mo,Tu 12:00-14:30", "rating": "4.3",
                "reviewCount": "1204",
                "thumbnailURL": "https://www.example.org/place/logo.png", "namedLocation": "Chez Nous",
                "contentType": "public.contact",
            ]),
        Case(
            name: "a product with a price range",
            json: """
                {"@context": "https://schema.org", "@type": "Product", "name": "Field lamp", "sku": "FL-2", "gtin13": "4006381333931",
                 "brand": {"@type": "Brand", "name": "Lumen"}, "offers": {"@type": "AggregateOffer", "lowPrice": "1.299,50",
                 "highPrice": "1499", "priceCurrency": "TRY", "offerCount": "3"}}
                """,
            kind: "Product",
            expected: [
                "title": "Field lamp", "sku": "FL-2", "gtin": "4006381333931", "brand": "Lumen", "lowPrice": "1299.5",
                "highPrice": "1499", "priceCurrency": "TRY", "offerCount": "3",
            ]),
        Case(
            name: "a news article",
            json: """
                {"@context": "https://schema.org", "@type": "NewsArticle", "headline": "Bridge reopens", "name": "bridge-2026",
                 "alternativeHeadline": "After nine years", "articleBody": "The bridge\\n\\nis open.", "articleSection": ["City"],
                 "author": [{"name": "Li Wei"}, {"givenName": "Ana", "familyName": "Sá"}], "publisher": {"name": "The Post"},
                 "datePublished": "2026-11-20T08:00:00Z", "dateModified": "2026-11-20T09:30:15.5Z", "inLanguage": "en-GB"}
                """,
            kind: "NewsArticle",
            expected: [
                "title": "Bridge reopens", "alternateNames": "After nine years", "textContent": "The bridge is open.",
                "keywords": "City", "authorNames": "Li Wei | Ana Sá", "publisherName": "The Post",
                "datePublished": "2026-11-20T08:00:00Z", "dateModified": "2026-11-20T09:30:15Z",
            ]),
        Case(
            name: "a person",
            json: """
                {"@context": "https://schema.org", "@type": "Person", "givenName": "Юрий", "familyName": "Жуков",
                 "jobTitle": "Engineer", "worksFor": {"@type": "Organization", "name": "Vandelay"}, "telephone": ["tel:+7 495 000-04-56"],
                 "sameAs": ["https://social.example/yura", "javascript:alert(1)"]}
                """,
            kind: "Person",
            expected: [
                "title": "Юрий Жуков", "jobTitle": "Engineer", "organizationName": "Vandelay",
                "phoneNumbers": "+7 495 000-04-56", "sameAs": "https://social.example/yura",
                "contentType": "public.contact",
            ]),
        Case(
            name: "a film",
            json: """
                {"@context": "https://schema.org", "@type": "Movie", "name": "The Long Tide", "director": {"name": "M. Okafor"},
                 "actor": [{"name": "Ida Berg"}, {"name": "Tom Sy"}], "genre": ["Drama", "Sea"], "duration": "PT2H10M",
                 "contentRating": "PG-13", "dateCreated": "2019", "trailer": {"@type": "VideoObject", "embedUrl": "//video.example/e/1"}}
                """,
            kind: "Movie",
            expected: [
                "title": "The Long Tide", "directorNames": "M. Okafor", "actorNames": "Ida Berg | Tom Sy",
                "keywords": "Drama | Sea", "duration": "7800", "contentRating": "PG-13",
                "dateCreated": "2019-01-01T00:00:00Z",
                "videoURL": "https://video.example/e/1", "contentType": "public.movie",
            ]),
        Case(
            name: "a series",
            json: """
                {"@context": "https://schema.org", "@type": "TVSeries", "name": "Harbour", "numberOfSeasons": 3,
                 "numberOfEpisodes": "24", "startDate": "2021-03"}
                """,
            kind: "TVSeries",
            expected: [
                "title": "Harbour", "seasonCount": "3", "episodeCount": "24", "startDate": "2021-03-01T00:00:00Z",
            ]),
        Case(
            name: "a book with its edition",
            json: """
                {"@context": "https://schema.org", "@type": "Book", "name": "Maps", "author": "R. Idowu",
                 "workExample": [{"@type": "Book", "isbn": "9780000000001", "bookFormat": "https://schema.org/Paperback"}],
                 "numberOfPages": 312}
                """,
            kind: "Book",
            expected: ["title": "Maps", "authorNames": "R. Idowu", "isbn": "9780000000001", "pageCount": "312"]),
        Case(
            name: "a song",
            json: """
                {"@context": "https://schema.org", "@type": "MusicRecording", "name": "Low Water", "byArtist": {"name": "Nine Horns"},
                 "inAlbum": {"@type": "MusicAlbum", "name": "Tides"}, "duration": "PT3M5S",
                 "audio": {"@type": "AudioObject", "contentUrl": "/audio/low-water.mp3"}}
                """,
            kind: "MusicRecording",
            expected: [
                "title": "Low Water", "authorNames": "Nine Horns", "albumName": "Tides", "duration": "185",
                "audioURL": "https://www.example.org/audio/low-water.mp3", "contentType": "public.audio",
            ]),
        Case(
            name: "a picture",
            json: """
                {"@context": "https://schema.org", "@type": "ImageObject", "name": "Dawn", "contentUrl": "https://img.example/dawn.jpg",
                 "creator": {"name": "Noor"}}
                """,
            kind: "ImageObject",
            expected: [
                "title": "Dawn", "contentURL": "https://img.example/dawn.jpg",
                "thumbnailURL": "https://img.example/dawn.jpg",
                "authorNames": "Noor", "contentType": "public.image",
            ]),
        Case(
            name: "an unknown type",
            json: """
                {"@context": "https://schema.org", "@type": "Observatory2031", "name": "Kandilli", "description": "Looks at the sun.",
                 "telephone": "+90 216 000 00 00"}
                """,
            kind: "Observatory2031",
            expected: [
                "title": "Kandilli", "contentDescription": "Looks at the sun.", "phoneNumbers": "+90 216 000 00 00",
            ]),
    ]

    @Test("A single thing is merged with the page", arguments: cases)
    func kinds(_ example: Case) throws {
        let page = try Pages.read(Pages.linked(example.json))
        let item = try #require(page.items.first)
        #expect(item.differences(example.expected) == [])
        #expect(item.kind == example.kind)
        #expect(page.items.count == 1)
        #expect(page.warnings == [])
        #expect(item.id == Pages.address)
    }

    @Test("Graph references are resolved, and parts of other things are not items")
    func graph() throws {
        let json = """
            {"@context": "https://schema.org", "@graph": [
             {"@type": "WebPage", "@id": "https://www.example.org/place/page", "name": "Page name", "isPartOf": {"@id": "https://www.example.org/#site"},
              "breadcrumb": {"@id": "#crumbs"}, "primaryImageOfPage": {"@id": "#image"}, "description": "Of the page."},
             {"@type": "Article", "@id": "#article", "headline": "Kelp", "author": {"@id": "#mira"},
              "mainEntityOfPage": {"@id": "https://www.example.org/place/page"}, "publisher": {"@id": "#org"}},
             {"@type": "ImageObject", "@id": "#image", "contentUrl": "/kelp.jpg"},
             {"@type": "BreadcrumbList", "@id": "#crumbs", "itemListElement": [{"@type": "ListItem", "name": "Home"}]},
             {"@type": "WebSite", "@id": "https://www.example.org/#site", "name": "Sea Notes", "potentialAction": {"@type": "SearchAction",
              "target": {"@type": "EntryPoint", "urlTemplate": "/find?q={search_term_string}"}, "query-input": "required name=search_term_string"}},
             {"@type": "Organization", "@id": "#org", "name": "Sea Society", "telephone": "+1 555 010 0000"},
             {"@type": "Person", "@id": "#mira", "name": "Mira K."}]}
            """
        let page = try Pages.read(Pages.linked(json))
        #expect(page.items.map(\.kind) == ["Article"])
        let item = try #require(page.items.first)
        #expect(
            item.differences([
                "title": "Kelp", "authorNames": "Mira K.", "publisherName": "Sea Society", "siteName": "Sea Notes",
                "contentDescription": "Of the page.", "thumbnailURL": "https://www.example.org/kelp.jpg",
                "searchAction": "https://www.example.org/find?q={search_term_string}",
            ]) == [])
        #expect(item["phoneNumbers"] == nil)
    }

    @Test("Entities are decoded once, in names and descriptions")
    func entities() throws {
        let json = #"""
            {"@context": "https://schema.org", "@type": "Product", "name": "Rock &amp;amp; roll &#8217;n&#x2019; caf&eacute; &bogus; 1 < 2",
             "description": "&lt;p&gt;One &amp; two&lt;/p&gt;"}
            """#
        let item = try #require(try Pages.read(Pages.linked(json)).items.first)
        #expect(
            item.differences(["title": "Rock &amp; roll ’n’ café &bogus; 1 < 2", "contentDescription": "One & two"])
                == [])
    }

    @Test("The entries of a list are separate items")
    func lists() throws {
        let json = """
            {"@context": "https://schema.org", "@type": "ItemList", "itemListElement": [
             {"@type": "ListItem", "position": 1, "item": {"@type": "Recipe", "name": "Pilaf", "url": "/recipes/pilaf"}},
             {"@type": "ListItem", "position": 2, "item": {"@type": "Recipe", "name": "Borek", "url": "https://other.example/borek"}},
             {"@type": "ListItem", "position": 3, "url": "/only-an-address"}]}
            """
        let items = try Pages.read(Pages.linked(json)).items
        #expect(items.map { $0.shown("title") } == ["The title", "Pilaf", "Borek"])
        #expect(
            items.map(\.id) == [Pages.address, "https://www.example.org/recipes/pilaf", "\(Pages.address)#recipe-2"])
    }

    @Test("Other vocabularies are ignored")
    func otherVocabulary() throws {
        let json = #"{"@context": "https://www.w3.org/ns/activitystreams", "@type": "Note", "name": "A note"}"#
        #expect(try Pages.read(Pages.linked(json)).items.map(\.kind) == ["WebPage"])
    }
}
