import SwitchboardJSON

func json() throws {
    let value = try JSONParser.value(of: Array(#"{"title": "Dunes", "rating": 4.5}"#.utf8))
    print(value["title"]?.string ?? "no title")  // Dunes
    print(try OrderedJSON.text(value))  // {"title": "Dunes", "rating": 4.5}
    try writeSchema()
}

private func writeSchema() throws {
    let schema: JSONValue = ["type": "array", "maxItems": 10]
    let text = try OrderedJSON.text(schema)  // {"type": "array", "maxItems": 10}
    print(text)
}
