import Foundation
import SwitchboardTestFixtures
import Testing

/// Every route of a real server.
@Suite("The API") struct APITests {
    @Test("A contact is added, read, edited, found, called and removed")
    func contacts() throws {
        let server = try LiveServer()
        let token = try server.token()
        let added = try server.ask(
            "POST", "/v1/contacts", token: token,
            json:
                #"{"givenName": "Zoë", "familyName": "Jogo", "phones": [{"label": "mobile", "number": "+44 20 7946 0123"}], "emails": ["zoe@example.org"]}"#
        )
        #expect(added.status == 201)
        let id = try #require(try added.json["id"] as? String)
        #expect(added.headers["location"] == "/v1/contacts/\(id)")
        #expect(added.headers["cache-control"] == "private, no-cache")
        let contact = try #require(try added.json["contact"] as? [String: Any])
        #expect(contact["name"] as? String == "Zoë Jogo")
        let phones = try #require(contact["phones"] as? [[String: Any]])
        #expect(phones.first?["e164"] as? String == "+442079460123" && phones.first?["label"] as? String == "mobile")

        let patched = try server.ask(
            "PATCH", "/v1/contacts/\(id)", token: token,
            json: #"{"organization": "Acme", "note": null, "favourite": true}"#)
        #expect(patched.status == 200)
        let after = try #require(try patched.json["contact"] as? [String: Any])
        #expect(after["organization"] as? String == "Acme" && after["name"] as? String == "Zoë Jogo")

        for target in [
            "/v1/contacts?q=jogo", "/v1/contacts?keypad=5646", "/v1/find?q=zoe", "/v1/find?q=5646&keypad=true",
        ] {
            let found = try server.ask("GET", target, token: token)
            #expect(found.status == 200, "\(target): \(found.text)")
            #expect(try found.results.first?["id"] as? String == id, "\(target)")
            #expect(try found.json["elapsedMicroseconds"] == nil)
            let timing = try #require(found.headers["server-timing"]?.wholeMatch(of: /search;dur=([0-9]+\.[0-9]{3})/))
            #expect(Double(timing.1) != nil)
            // The tag is a strong one: equal results have equal bytes.
            let again = try server.ask("GET", target, token: token)
            #expect(found.headers["etag"]?.hasPrefix("\"") == true && again.headers["etag"] == found.headers["etag"])
            #expect(again.body == found.body)
        }
        #expect(try server.ask("POST", "/v1/contacts/\(id)/call", token: token).status == 200)
        #expect(try server.ask("GET", "/v1/contacts/\(id)", token: token).status == 200)
        #expect(try server.ask("DELETE", "/v1/contacts/\(id)", token: token).status == 204)
        #expect(try server.ask("GET", "/v1/contacts/\(id)", token: token).status == 404)
        #expect(try server.ask("DELETE", "/v1/contacts/\(id)", token: token).status == 404)
    }

    private func checkPhotoRoutes(of id: String, on server: LiveServer, _ token: String) throws {
        let gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3B]
        let (place, type) = ("/v1/contacts/\(id)/photo", ["Content-Type: image/gif"])
        let set = try server.ask("PUT", place, token: token, headers: type, body: gif)
        #expect(set.status == 200, "\(set.text)")
        #expect(try server.ask("GET", place, token: token).headers["content-type"] == "image/gif")
        #expect(
            try server.ask("PUT", place, token: token, headers: type, body: Array("<svg/>".utf8)).status == 422)
        #expect(try server.ask("PUT", place, headers: type, body: gif).status == 401)
        #expect(try server.ask("DELETE", place, token: token).status == 204)
        #expect(try server.ask("DELETE", place, token: token).status == 404)
        #expect(try server.ask("GET", place, token: token).status == 404)
    }

    @Test("Groups, birthdays and photos, which are served only to their owner and only as safe image types")
    func groupsBirthdaysPhotos() throws {
        let server = try LiveServer()
        let token = try server.token()
        let png =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        let cards = """
            BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Lima\r\nBDAY:1980-12-24\r\nCATEGORIES:Família\r
            PHOTO;ENCODING=b;TYPE=JPEG:\(png)\r\nEND:VCARD\r
            BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Bob Birch\r
            PHOTO:data:image/svg+xml;base64,PHN2Zy8+\r\nEND:VCARD\r
            BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Cara Cole\r\nEND:VCARD\r\n
            """
        let imported = try server.ask(
            "POST", "/v1/contacts/import", token: token, headers: ["Content-Type: text/vcard"], body: Array(cards.utf8))
        #expect(imported.status == 200, "\(imported.text)")
        let rows = try server.ask("GET", "/v1/contacts", token: token).results
        let ids = rows.compactMap { $0["id"] as? String }
        let photo = try #require((rows.first?["contact"] as? [String: Any])?["photo"] as? [String: Any])
        #expect(photo["type"] as? String == "image/png")
        let picture = try server.ask("GET", "/v1/contacts/\(ids[0])/photo", token: token)
        #expect(picture.status == 200 && picture.headers["content-type"] == "image/png")
        #expect(picture.headers["x-content-type-options"] == "nosniff")
        #expect(picture.headers["cache-control"] == "private, no-cache")
        #expect(try server.ask("GET", "/v1/contacts/\(ids[1])/photo", token: token).status == 415)
        #expect(try server.ask("GET", "/v1/contacts/\(ids[2])/photo", token: token).status == 404)
        #expect(try server.ask("GET", "/v1/contacts/\(ids[0])/photo").status == 401)
        try checkPhotoRoutes(of: ids[2], on: server, token)

        #expect(try server.ask("GET", "/v1/contacts/groups", token: token).results.first?["count"] as? Int == 1)
        #expect(try server.ask("GET", "/v1/contacts?group=familia", token: token).results.count == 1)
        #expect(try server.ask("GET", "/v1/contacts?group=nobody", token: token).status == 404)
        let coming = try server.ask("GET", "/v1/contacts/birthdays?from=2026-12-20&days=4", token: token).results
        let day = try #require(coming.first?["birthday"] as? [String: Any])
        #expect(day["date"] as? String == "2026-12-24" && day["age"] as? Int == 46)
        for wrong in ["from=soon", "days=-1", "days=400"] {
            #expect(try server.ask("GET", "/v1/contacts/birthdays?\(wrong)", token: token).status == 400)
        }
        let patched = try server.ask(
            "PATCH", "/v1/contacts/\(ids[2])", token: token, json: #"{"groups": ["Família", "Work"]}"#)
        #expect((try patched.json["contact"] as? [String: Any])?["groups"] as? [String] == ["Família", "Work"])
        #expect(try server.ask("GET", "/v1/contacts?group=FAMILIA", token: token).results.count == 2)
    }

    @Test("Duplicates are listed, merged and separated again, and contacts are exported")
    func duplicates() throws {
        let server = try LiveServer()
        let token = try server.token()
        for (name, number) in [("Dup Licate", "+44 7700 900111"), ("Dup Licate", "+44 7700 900222"), ("Other", "")] {
            let body =
                #"{"name": "\#(name)", "emails": ["\#(name.prefix(1))@example.com"], "groups": ["\#(name.prefix(1))"]"#
            let phones = number.isEmpty ? "}" : #", "phones": ["\#(number)"]}"#
            #expect(try server.ask("POST", "/v1/contacts", token: token, json: body + phones).status == 201)
        }
        let groups = try server.ask("GET", "/v1/contacts/duplicates", token: token).results
        #expect(groups.count == 1)
        let contacts = try #require(groups.first?["contacts"] as? [[String: Any]])
        let ids = contacts.compactMap { $0["id"] as? String }
        let json = #"{"ids": ["\#(ids.joined(separator: "\", \""))"]}"#
        let merged = try server.ask("POST", "/v1/contacts/merge", token: token, json: json)
        let contact = try #require(try merged.json["contact"] as? [String: Any])
        #expect(contact["id"] as? String == ids[0] && (contact["phones"] as? [Any])?.count == 2)
        #expect(try server.ask("POST", "/v1/contacts/merge", token: token, json: json).status == 404)
        #expect(try server.ask("POST", "/v1/contacts/merge", token: token, json: #"{"ids": []}"#).status == 400)
        let cards = try server.ask("GET", "/v1/contacts.vcf?group=D", token: token)
        #expect(cards.text.components(separatedBy: "BEGIN:VCARD").count == 2)
        #expect(try server.ask("GET", "/v1/contacts.vcf?group=none", token: token).status == 404)
        let unmerge = "/v1/contacts/\(ids[0])/unmerge"
        #expect(try server.ask("POST", unmerge, token: token).results.count == 2)
        #expect(try server.ask("GET", "/v1/contacts", token: token).json["total"] as? Int == 3)
        #expect(try server.ask("POST", unmerge, token: token).status == 404)
        // A merge is not undone over later changes.
        _ = try server.ask("POST", "/v1/contacts/merge", token: token, json: json)
        _ = try server.ask("PATCH", "/v1/contacts/\(ids[0])", token: token, json: #"{"note": "later"}"#)
        #expect(try server.ask("POST", unmerge, token: token).status == 409)
    }

    @Test("A list is paged until there is no cursor")
    func pages() throws {
        let server = try LiveServer()
        let token = try server.token()
        let cards = (0..<120).map { "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Person \($0)\r\nEND:VCARD\r\n" }.joined()
        let imported = try server.ask(
            "POST", "/v1/contacts/import", token: token, headers: ["Content-Type: text/vcard"], body: Array(cards.utf8))
        #expect(imported.status == 200)
        #expect(try imported.json["added"] as? Int == 120)
        var (seen, cursor) = (Set<String>(), "")
        for size in [50, 50, 20] {
            let page = try server.ask("GET", "/v1/contacts" + (cursor.isEmpty ? "" : "?cursor=\(cursor)"), token: token)
            #expect(try page.results.count == size)
            seen.formUnion(try page.results.compactMap { $0["id"] as? String })
            cursor = try page.json["nextCursor"] as? String ?? ""
        }
        #expect(seen.count == 120 && cursor.isEmpty)
    }

    @Test(
        "A list is paged without repeating or missing a row while others are added and removed",
        arguments: [
            "/v1/contacts?", "/v1/prospects?sort=name&", "/v1/prospects?sort=recent&filter=uncontacted&",
            "/v1/index/items?withoutActivities=true&", "/v1/index/items?domain=notes&",
        ])
    func stablePages(list: String) throws {
        let server = try LiveServer()
        let token = try server.token()
        let isItems = list.contains("items")
        func add(_ names: [String]) throws {
            if isItems {
                let items = names.map { #"{"id": "\#($0)", "domain": "notes", "title": "\#($0)"}"# }.joined(
                    separator: ",")
                #expect(try server.ask("PUT", "/v1/index/items", token: token, json: "[\(items)]").status == 200)
                return
            }
            for name in names {
                let path = String(list.prefix { $0 != "?" })
                #expect(try server.ask("POST", path, token: token, json: #"{"name": "\#(name)"}"#).status == 201)
            }
        }
        try add((10..<19).map { "Row \($0)" })
        let activity = #"{"activityType": "com.example.show", "title": "Watching", "persistentIdentifier": "one"}"#
        #expect(try server.ask("POST", "/v1/activities", token: token, json: activity).status == 201)
        let first = try server.ask("GET", list + "limit=4", token: token)
        #expect(try first.json["total"] as? Int == 9)
        // Rows before and after the end of the page are added, and a row of it is removed.
        try add(["Aa 1", "Aa 2", "Row 99"])
        let removed = try #require(try first.results[3]["id"] as? String)
        let path = list.prefix { $0 != "?" } + "/" + removed.replacingOccurrences(of: " ", with: "%20")
        #expect(try server.ask("DELETE", String(path), token: token).status == 204)
        var (seen, page) = (try first.results, first)
        while let cursor = try page.json["nextCursor"] as? String {
            page = try server.ask("GET", list + "limit=4&cursor=" + cursor, token: token)
            #expect(try page.json["total"] as? Int == 11)
            seen += try page.results
        }
        let titles = seen.compactMap { $0["title"] as? String }
        #expect(Set(titles).count == titles.count, "\(titles)")
        #expect(Set(titles).isSuperset(of: (10..<19).map { "Row \($0)" }), "\(titles)")
        #expect(titles.contains("Row 99") != list.contains("recent"))
        // A number of rows leads to any place.
        let window = try server.ask("GET", list + "limit=4&cursor=8", token: token)
        #expect(try window.results.count == 3)
    }

    @Test("Activities are paged without repeating or missing one while others begin, the current one first")
    func activityPages() throws {
        let server = try LiveServer()
        let token = try server.token()
        func begin(_ number: Int) throws {
            let activity = #"{"activityType": "com.example.show", "title": "A", "persistentIdentifier": "\#(number)"}"#
            #expect(try server.ask("POST", "/v1/activities", token: token, json: activity).status == 201)
        }
        for number in 0..<9 { try begin(number) }
        var page = try server.ask("GET", "/v1/activities?limit=4", token: token)
        #expect(try page.json["total"] as? Int == 9)
        try begin(9)
        var seen = try page.results
        while let cursor = try page.json["nextCursor"] as? String {
            page = try server.ask("GET", "/v1/activities?limit=4&cursor=" + cursor, token: token)
            #expect(try page.json["total"] as? Int == 10)
            seen += try page.results
        }
        let ids = seen.compactMap { $0["id"] as? String }
        #expect(ids == (0..<9).reversed().map { "\($0)" })
    }

    @Test("Lists of reminders and choices have pages and a number of rows")
    func shortListPages() throws {
        let server = try LiveServer()
        let token = try server.token()
        for number in 0..<7 {
            let prospect = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "P \#(number)"}"#)
            let id = try #require(try prospect.json["id"] as? String)
            let path = "/v1/prospects/\(id)/reminder"
            #expect(try server.ask("PUT", path, token: token, json: #"{"in": 3600}"#).status == 200)
            let choice = #"{"kind": "prospect", "id": "\#(id)", "q": "p"}"#
            #expect(try server.ask("POST", "/v1/choices", token: token, json: choice).status == 204)
        }
        for list in ["/v1/reminders?state=pending&", "/v1/choices?"] {
            let whole = try server.ask("GET", list, token: token)
            var (seen, page) = ([[String: Any]](), try server.ask("GET", list + "limit=3", token: token))
            while true {
                seen += try page.results
                #expect(try page.json["total"] as? Int == 7)
                guard let cursor = try page.json["nextCursor"] as? String else { break }
                page = try server.ask("GET", list + "limit=3&cursor=" + cursor, token: token)
            }
            let ids = try whole.results.compactMap { $0["id"] as? String }
            #expect(ids.count == 7 && seen.compactMap { $0["id"] as? String } == ids)
        }
    }

    @Test(
        "A search has pages of the same results as a whole, with their number",
        arguments: ["/v1/contacts?q=row", "/v1/find?q=row", "/v1/index/search?q=row", "/v1/airports?q=san"])
    func searchPages(search: String) throws {
        let server = try LiveServer()
        let token = try server.token()
        for number in 10..<35 {
            let name = #"{"name": "Row \#(number)"}"#
            #expect(try server.ask("POST", "/v1/contacts", token: token, json: name).status == 201)
        }
        let items = (10..<35).map { #"{"id": "\#($0)", "title": "Row \#($0)"}"# }.joined(separator: ",")
        #expect(try server.ask("PUT", "/v1/index/items", token: token, json: "[\(items)]").status == 200)
        let whole = try server.ask("GET", search + "&limit=100&cursor=0", token: token)
        let ids = try whole.results.compactMap { $0["id"] as? String }
        #expect(ids.count >= 25)
        #expect(try whole.json["total"] as? Int ?? 101 >= ids.count)
        var (seen, page) = ([String](), try server.ask("GET", search + "&limit=10&cursor=0", token: token))
        while seen.count < ids.count {
            #expect(try page.json["total"] as? Int == (try whole.json["total"] as? Int))
            seen += try page.results.compactMap { $0["id"] as? String }
            guard let cursor = try page.json["nextCursor"] as? String else { break }
            page = try server.ask("GET", search + "&limit=10&cursor=\(cursor)", token: token)
        }
        #expect(Array(seen.prefix(ids.count)) == ids)
        let first = try server.ask("GET", search + "&limit=10", token: token)
        #expect(try (first.json["nextCursor"] as? String)?.hasPrefix("k10-") == true && first.json["total"] == nil)
        #expect(try first.json["totalExceeds"] as? Int == 10 && whole.json["totalExceeds"] == nil)
        #expect(try server.ask("GET", search + "&cursor=5000", token: token).results.isEmpty)
        for cursor in ["x", "k10", "k-a", "kx-a", "1234567890"] {
            #expect(try server.ask("GET", search + "&cursor=\(cursor)", token: token).status == 400, "\(cursor)")
        }
    }

    @Test("The pages of a search neither repeat nor miss a result when others are added or removed")
    func changedSearch() throws {
        let server = try LiveServer()
        let token = try server.token()
        var ids: [String] = []
        for number in 10..<40 {
            let added = try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "Row \#(number)"}"#)
            ids.append(try #require(added.json["id"] as? String))
        }
        var (seen, target) = ([String](), "/v1/contacts?q=row&limit=10")
        for change in 0... {
            let page = try server.ask("GET", target, token: token)
            seen += try page.results.compactMap { $0["id"] as? String }
            guard let cursor = try page.json["nextCursor"] as? String else { break }
            target = "/v1/contacts?q=row&limit=10&cursor=\(cursor)"
            // Whole names come first; the first results are removed.
            for name in change == 0 ? ["Row", "Row"] : [] {
                #expect(
                    try server.ask("POST", "/v1/contacts", token: token, json: #"{"name": "\#(name)"}"#).status == 201)
            }
            for id in change == 1 ? seen.prefix(3) : [] {
                #expect(try server.ask("DELETE", "/v1/contacts/\(id)", token: token).status == 204)
            }
        }
        #expect(seen.count == ids.count && Set(seen) == Set(ids))
    }

    @Test("A search with more results than its pages says so, and one of a group counts all")
    func manyResults() throws {
        let server = try LiveServer()
        let token = try server.token()
        let cards = (0..<1_005).map {
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Row \($0)\r\nCATEGORIES:Rows\r\nEND:VCARD\r\n"
        }.joined()
        let imported = try server.ask(
            "POST", "/v1/contacts/import", token: token, headers: ["Content-Type: text/vcard"], body: Array(cards.utf8))
        #expect(try imported.json["added"] as? Int == 1_005, "\(imported.text)")
        for target in ["/v1/contacts?q=row", "/v1/find?q=row"] {
            for cursor in ["0", "990"] {
                let page = try server.ask("GET", "\(target)&cursor=\(cursor)", token: token).json
                #expect(page["total"] == nil && page["totalExceeds"] as? Int == 1_000, "\(target)")
            }
        }
        let members = try server.ask("GET", "/v1/contacts?q=row&group=rows", token: token)
        #expect(try members.json["total"] as? Int == 1_005 && members.json["totalExceeds"] == nil)
        #expect(try members.results.count == 10)
        let first = try server.ask("GET", "/v1/contacts?q=row+77&group=rows&limit=1", token: token)
        let whole = try server.ask("GET", "/v1/contacts?q=row+77&group=rows&limit=100", token: token)
        #expect(try first.json["total"] as? Int == whole.results.count && whole.results.count > 1)
    }

    @Test("The letters beside a list of prospects are those of its names, in order")
    func letters() throws {
        let server = try LiveServer()
        let token = try server.token()
        for name in ["Żuk", "ana", "Álvaro", "7even", "Bo"] {
            _ = try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "\#(name)"}"#)
        }
        let names = try server.ask("GET", "/v1/prospects?sort=name", token: token).results
        let bo = try #require(names.first { $0["title"] as? String == "Bo" }?["id"] as? String)
        _ = try server.ask("PATCH", "/v1/prospects/\(bo)", token: token, json: #"{"contacted": true}"#)
        func letters(_ query: String) throws -> [String] {
            try server.ask("GET", "/v1/prospects/letters" + query, token: token).results
                .map { "\($0["letter"] ?? "")\($0["count"] ?? "")" }
        }
        #expect(try letters("") == ["#1", "A2", "B1", "Z1"])
        #expect(try letters("?filter=contacted") == ["B1"])
    }

    @Test(
        "With strict a file with a malformed card is rejected as a whole, with its line; otherwise the card is skipped")
    func malformedImport() throws {
        let server = try LiveServer()
        let token = try server.token()
        let cards = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Good\r\nEND:VCARD\r\nBEGIN:VCARD\r\nFN:Torn\r\n"
        let refused = try server.ask("POST", "/v1/contacts/import?strict=true", token: token, body: Array(cards.utf8))
        #expect(refused.status == 422)
        #expect(try (refused.json["skipped"] as? [[String: Any]])?.first?["line"] is Int)
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.isEmpty)
        let dry = try server.ask("POST", "/v1/contacts/import?dryRun=true", token: token, body: Array(cards.utf8))
        #expect(try dry.status == 200 && dry.json["added"] as? Int == 1)
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.isEmpty)
        let kept = try server.ask("POST", "/v1/contacts/import", token: token, body: Array(cards.utf8))
        #expect(try kept.status == 200 && kept.json["added"] as? Int == 1)
        #expect(try (kept.json["skipped"] as? [[String: Any]])?.count == 1)
        let undone = try server.ask("POST", "/v1/contacts/import/undo", token: token)
        #expect(try undone.status == 200 && undone.json["removed"] as? Int == 1)
        #expect(try server.ask("GET", "/v1/contacts", token: token).results.isEmpty)
        #expect(try server.ask("POST", "/v1/contacts/import/undo", token: token).status == 404)
    }

    @Test("A prospect is added, marked as contacted, removed and restored, and has a reminder")
    func prospects() throws {
        let server = try LiveServer()
        let token = try server.token()
        let added = try server.ask(
            "POST", "/v1/prospects", token: token, json: #"{"name": "Ana Ríos", "email": "ana@example.org"}"#)
        #expect(added.status == 201)
        let id = try #require(try added.json["id"] as? String)
        let reminder = try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: "{}")
        #expect(reminder.status == 200, "\(reminder.text)")
        #expect(try reminder.json["title"] as? String == "Contact Ana Ríos")
        let zoned = try server.ask(
            "PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"timeZone": "Asia/Tokyo"}"#)
        // Nine o'clock in Tokyo is midnight in UTC.
        #expect(try (zoned.json["dueAt"] as? String)?.hasSuffix("T00:00:00Z") == true, "\(zoned.text)")
        let soon = try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: #"{"in": 3600}"#)
        #expect(soon.status == 200)
        #expect(try server.ask("GET", "/v1/reminders?state=pending", token: token).results.count == 1)
        let calendar = try server.ask("GET", "/v1/reminders.ics", token: token)
        #expect(
            calendar.text.contains("SUMMARY:Contact Ana Ríos")
                && calendar.headers["content-type"]?.hasPrefix("text/calendar") == true)

        let done = try server.ask("PATCH", "/v1/prospects/\(id)", token: token, json: #"{"contacted": true}"#)
        #expect(try (done.json["prospect"] as? [String: Any])?["contacted"] as? Bool == true)
        #expect(try server.ask("GET", "/v1/reminders?state=pending", token: token).results.isEmpty)
        #expect(try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: "{}").status == 409)
        #expect(try server.ask("GET", "/v1/prospects?filter=contacted", token: token).results.count == 1)
        #expect(try server.ask("GET", "/v1/prospects?filter=uncontacted&q=ana", token: token).results.isEmpty)
        #expect(try server.ask("GET", "/v1/prospects?filter=contacted&q=ana", token: token).results.count == 1)
        #expect(try server.ask("DELETE", "/v1/prospects/\(id)", token: token).status == 204)
        #expect(try server.ask("GET", "/v1/prospects/\(id)", token: token).status == 404)
        #expect(try server.ask("POST", "/v1/prospects/\(id)/restore", token: token).status == 200)
        #expect(try server.ask("GET", "/v1/prospects/\(id)", token: token).status == 200)
    }

    @Test("Reminders need consent once notifications were denied")
    func denied() throws {
        let server = try LiveServer()
        let token = try server.token()
        let id = try #require(
            try server.ask("POST", "/v1/prospects", token: token, json: #"{"name": "Ana"}"#).json["id"] as? String)
        #expect(
            try server.ask("PUT", "/v1/access/notifications", token: token, json: #"{"status": "denied"}"#).status
                == 200)
        let refused = try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: "{}")
        #expect(try refused.status == 403 && refused.json["code"] as? String == "accessNotGranted")
        #expect(
            try server.ask("PUT", "/v1/access/notifications", token: token, json: #"{"status": "authorized"}"#).status
                == 200)
        #expect(try server.ask("PUT", "/v1/prospects/\(id)/reminder", token: token, json: "{}").status == 200)
        #expect(try server.ask("PUT", "/v1/access/nothing", token: token, json: #"{"status": "denied"}"#).status == 404)
    }

    @Test("A badge is rendered as a QR code, and scanning it adds a prospect")
    func badge() throws {
        let server = try LiveServer()
        let token = try server.token()
        #expect(try server.ask("GET", "/v1/me", token: token).status == 404)
        let set = try server.ask("PUT", "/v1/me", token: token, json: #"{"name": "Bo Ek", "email": "bo@example.org"}"#)
        #expect(set.status == 200)
        #expect(try server.ask("GET", "/v1/me/badge.svg", token: token).text.contains("<svg"))
        let picture = try server.ask("GET", "/v1/me/badge.png", token: token)
        #expect(picture.headers["content-type"] == "image/png")
        let scanned = try server.ask(
            "POST", "/v1/prospects/scan?met=FOSDEM", token: token, headers: ["Content-Type: image/png"],
            body: picture.body)
        #expect(scanned.status == 200, "\(scanned.text)")
        #expect(try scanned.results.first?["title"] as? String == "Bo Ek")
        let noPicture = try server.ask("POST", "/v1/prospects/scan", token: token, body: Array("no picture".utf8))
        #expect(noPicture.status == 422 && noPicture.headers["content-type"] == "application/problem+json")
    }

    @Test("Airports are public, and recent airports are private")
    func airports() throws {
        let server = try LiveServer()
        let found = try server.ask("GET", "/v1/airports?q=frankfrut")
        #expect(try found.results.first?["id"] as? String == "FRA")
        let tag = try #require(found.headers["etag"])
        #expect(try server.ask("GET", "/v1/airports?q=frankfrut", headers: ["If-None-Match: \(tag)"]).status == 304)
        #expect(try server.ask("GET", "/v1/airports?q=frankfurt", headers: ["If-None-Match: \(tag)"]).status == 200)
        #expect(try server.ask("GET", "/v1/airports?q=moscow&language=ru&limit=1").results.count == 1)
        let near = try server.ask("GET", "/v1/airports/nearest?lat=-33.92&lon=18.42&limit=1")
        #expect(try near.results.first?["id"] as? String == "CPT")
        #expect(try server.ask("GET", "/v1/airports/lhr").json["id"] as? String == "LHR")
        #expect(try server.ask("GET", "/v1/airports/QQQ").status == 404)
        #expect(try server.ask("GET", "/v1/airports/recent").status == 401)
        let (ana, bo) = (try server.token("ana"), try server.token("bo"))
        #expect(try server.ask("POST", "/v1/airports/recent", token: ana, json: #"{"code": "lhr"}"#).status == 200)
        #expect(try server.ask("POST", "/v1/airports/recent", token: ana, json: #"{"code": "QQQ"}"#).status == 404)
        #expect(try server.ask("GET", "/v1/airports/recent", token: ana).results.map { $0["id"] as? String } == ["LHR"])
        #expect(try server.ask("GET", "/v1/airports/recent", token: bo).results.isEmpty)
        // People's databases have no airports; these are in the shared database.
        #expect(
            try server.ask("GET", "/v1/find?q=london&kind=airport", token: bo).results.first?["id"] as? String == "LON")
    }

    @Test("The popular list is a gzip snapshot with a tag")
    func snapshot() throws {
        let server = try LiveServer()
        let reply = try server.ask("GET", "/v1/airports/popular")
        #expect(
            reply.status == 200 && reply.body.starts(with: [0x1F, 0x8B]) && reply.headers["content-encoding"] == "gzip")
        let tag = try #require(reply.headers["etag"])
        #expect(try server.ask("GET", "/v1/airports/popular", headers: ["If-None-Match: \(tag)"]).status == 304)
    }

    @Test("Items are put atomically, found, engaged with and deleted")
    func items() throws {
        let server = try LiveServer()
        let token = try server.token()
        let put = try server.ask(
            "PUT", "/v1/index/items?clientState=7", token: token,
            json:
                #"[{"id": "a/b", "domain": "tv", "title": "Breaking Dunes"}, {"id": "c", "domain": "tv.old", "title": "Dune Sea"}]"#
        )
        #expect(put.status == 200, "\(put.text)")
        #expect(try put.json["indexed"] as? Int == 2 && put.json["clientState"] as? String == "7")
        let lines = try server.ask(
            "PUT", "/v1/index/items", token: token, headers: ["Content-Type: application/x-ndjson"],
            body: Array("{\"id\": \"d\", \"title\": \"Third\"}\n{\"id\": \"e\", \"title\": \"Fourth\"}\n".utf8))
        #expect(try lines.json["indexed"] as? Int == 2)
        let bad = try server.ask(
            "PUT", "/v1/index/items", token: token, json: #"[{"id": "x", "title": "X"}, {"id": "y", "title": 5}]"#)
        #expect(bad.status == 400)
        #expect(try server.ask("GET", "/v1/index/items/x", token: token).status == 404)
        let behind = try server.ask(
            "PUT", "/v1/index/items?expectState=6", token: token, json: #"{"id": "z", "title": "Z"}"#)
        #expect(behind.status == 409)
        #expect(try server.ask("GET", "/v1/index/search?q=dun", token: token).results.count == 2)
        #expect(
            try server.ask("GET", "/v1/index/query?expression=title%20%3D%3D%20%22Dune*%22", token: token).results.count
                == 1)
        #expect(try server.ask("GET", "/v1/index/query?expression=title%20%3D%3D", token: token).status == 400)
        let sorted = try server.ask(
            "GET", "/v1/index/search?q=dun+OR+third&sort=-title&facets=domain,title&boost=keywords%3D3", token: token)
        #expect(try sorted.results.compactMap { $0["id"] as? String } == ["d", "c", "a/b"], "\(sorted.text)")
        #expect(try (sorted.json["facets"] as? [[String: Any]])?.count == 2)
        for wrong in ["sort=nix", "facets=nix", "near=99,9", "radius=5", "boost=keywords"] {
            let answer = try server.ask("GET", "/v1/index/search?q=dun&\(wrong)", token: token)
            #expect(answer.status == 400, "\(wrong): \(answer.text)")
        }
        let synonyms = #"{"synonyms": [["dune", "arrakis"]]}"#
        #expect(try server.ask("PUT", "/v1/index/synonyms", token: token, json: synonyms).status == 200)
        #expect(try server.ask("GET", "/v1/index/synonyms", token: token).text.contains("arrakis"))
        #expect(try server.ask("GET", "/v1/index/search?q=arrakis", token: token).results.count == 2)
        for wrong in [#"{"synonyms": [["a"]]}"#, #"{"synonyms": "a"}"#, "{}", #"{"synonyms": [["a", 1]]}"#] {
            #expect(try server.ask("PUT", "/v1/index/synonyms", token: token, json: wrong).status == 400, "\(wrong)")
        }
        #expect(try server.ask("GET", "/v1/index/items/a%2Fb", token: token).status == 200)
        let chosen = try server.ask("POST", "/v1/index/items/a%2Fb/engage", token: token, json: #"{"query": "dun"}"#)
        #expect(try chosen.json["open"] as? String == "switchboard://item/a%2Fb")
        #expect(try server.ask("DELETE", "/v1/index/items", token: token).status == 400)
        let deleted = try server.ask("DELETE", "/v1/index/items?domain=tv", token: token)
        #expect(try (deleted.json["ids"] as? [String])?.sorted() == ["a/b", "c"])
        #expect(try server.ask("DELETE", "/v1/index/items/d", token: token).status == 204)
        #expect(try server.ask("GET", "/v1/index/items", token: token).results.count == 1)
    }

    @Test("An item becomes public once enough different people have engaged with it")
    func publicIndex() throws {
        let server = try LiveServer(["--public-threshold", "3"])
        let activity =
            #"{"activityType": "com.example.show", "title": "Breaking Dunes", "webpageURL": "https://example.org/dunes", "eligibleForPublicIndexing": true, "userInfo": {"secret": 1}}"#
        var last = ("", "")
        for (count, person) in ["ana", "ana", "bo", "cy"].enumerated() {
            let token = try server.token(person)
            let begun = try server.ask("POST", "/v1/activities", token: token, json: activity)
            #expect(begun.status == 201, "\(begun.text)")
            let id = try #require(try begun.json["id"] as? String)
            #expect(try server.ask("GET", "/v1/public/search?q=dunes").results.isEmpty, "before \(count)")
            #expect(try server.ask("POST", "/v1/activities/\(id)/engage", token: token, json: "{}").status == 200)
            last = (token, id)
        }
        let found = try server.ask("GET", "/v1/public/search?q=dunes")
        #expect(try found.results.count == 1)
        #expect(!found.text.contains("secret"))
        #expect(try server.ask("DELETE", "/v1/activities/\(last.1)", token: last.0).status == 204)
        #expect(try server.ask("GET", "/v1/public/search?q=dunes").results.isEmpty)
    }

    @Test("The keypad is public")
    func keypad() throws {
        let server = try LiveServer()
        let typed = try server.ask("GET", "/v1/keypad?keys=843&language=en")
        #expect(try typed.json["text"] as? String == "the", "\(typed.text)")
        #expect(try server.ask("GET", "/v1/keypad?keys=x").status == 400)
        #expect(try server.ask("GET", "/v1/keypad?keys=843&language=xx").status == 400)
        #expect(try server.ask("GET", "/v1/keypad").status == 400)
    }

    @Test("An activity is begun, listed and deleted")
    func activities() throws {
        let server = try LiveServer()
        let token = try server.token()
        let begun = try server.ask(
            "POST", "/v1/activities", token: token,
            json:
                #"{"activityType": "com.example.read", "title": "Chapter 4", "userInfo": {"page": 4}, "requiredUserInfoKeys": ["page"]}"#
        )
        let id = try #require(try begun.json["id"] as? String)
        #expect(try server.ask("GET", "/v1/activities", token: token).results.count == 1)
        #expect(try server.ask("GET", "/v1/activities/\(id)", token: token).status == 200)
        let missing = try server.ask(
            "POST", "/v1/activities", token: token,
            json: #"{"activityType": "x.y", "requiredUserInfoKeys": ["page"]}"#)
        #expect((400...422).contains(missing.status) || missing.status == 201)
        #expect(try server.ask("DELETE", "/v1/activities/\(id)", token: token).status == 204)
        #expect(try server.ask("GET", "/v1/activities/\(id)", token: token).status == 404)
    }
}
