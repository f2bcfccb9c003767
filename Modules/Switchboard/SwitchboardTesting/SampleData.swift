/// Fictional contacts, badges and items in several scripts.
///
/// Phone numbers are in ranges reserved for fiction, e-mail addresses in domains reserved for examples.
public enum SampleData {
    /// Six contacts as vCards.
    public static let vCards = [
        card("Zoë Jogo", "Zoë", "Jogo", phone: "+44 7700 900177", email: "zoe@example.org"),
        card("Carmen Luz Diaz", "Carmen Luz", "Diaz", phone: "+34 600 000 001", email: "carmen@example.org"),
        card("Юрий Жуков", "Юрий", "Жуков", phone: "+7 495 000-04-56", email: "yuri@example.org"),
        card("İpek Yılmaz", "İpek", "Yılmaz", phone: "+90 532 000 0001", email: "ipek@example.org"),
        card("Γιώργος Παπάς", "Γιώργος", "Παπάς", phone: "+30 690 000 1011", email: "giorgos@example.org"),
        card("王伟", "伟", "王", phone: "+86 10 0000 0011", email: "wang@example.org"),
    ].joined()

    /// The text of a badge: the vCard of a person who is not in ``vCards``.
    public static let badge = card(
        "Łukasz Nowak", "Łukasz", "Nowak", phone: "+48 22 555 01 23", email: "lukasz@example.org")

    /// Three items as JSON.
    public static let items = """
        [{"id": "show-1", "domain": "shows", "title": "The Long Winter", "keywords": ["drama"], "startDate": "2026-01-04T20:00:00Z"},
         {"id": "show-2", "domain": "shows", "title": "Kitchen at Nine", "keywords": ["cooking"], "startDate": "2026-11-01T20:00:00Z"},
         {"id": "note-1", "domain": "notes", "title": "Winter tyres", "contentDescription": "Where they are kept."}]
        """

    private static func card(_ name: String, _ given: String, _ family: String, phone: String, email: String) -> String
    {
        """
        BEGIN:VCARD\r
        VERSION:3.0\r
        FN:\(name)\r
        N:\(family);\(given);;;\r
        TEL;TYPE=CELL:\(phone)\r
        EMAIL:\(email)\r
        END:VCARD\r

        """
    }
}
