import Testing

@testable import SwitchboardContacts

@Suite("Person names")
struct PersonNameTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let whole: String
        let name: PersonName
        var testDescription: String { whole }

        init(
            _ whole: String, given: String = "", middle: String = "", family: String = "", prefix: String = "",
            suffix: String = ""
        ) {
            self.whole = whole
            self.name = PersonName(prefix: prefix, given: given, middle: middle, family: family, suffix: suffix)
        }
    }

    @Test(
        "splits full names",
        arguments: [
            Case("Anna", given: "Anna"),
            Case("  Anna   Smith ", given: "Anna", family: "Smith"),
            Case("Carmen Luz Diaz", given: "Carmen", middle: "Luz", family: "Diaz"),
            Case("Ludwig van Beethoven", given: "Ludwig", family: "van Beethoven"),
            Case("Vincent Willem van Gogh", given: "Vincent", middle: "Willem", family: "van Gogh"),
            Case("Jan van der Berg", given: "Jan", family: "van der Berg"),
            Case("Otto von Bismarck", given: "Otto", family: "von Bismarck"),
            Case("Gabriela de la Cruz", given: "Gabriela", family: "de la Cruz"),
            Case("José Ortega y Gasset", given: "José", family: "Ortega y Gasset"),
            Case("María del Carmen García", given: "María del Carmen", family: "García"),
            Case("Leonardo da Vinci", given: "Leonardo", family: "da Vinci"),
            Case("Luca della Robbia", given: "Luca", family: "della Robbia"),
            Case("Eddie Van Halen", given: "Eddie", family: "Van Halen"),
            Case("Omar bin Khalid", given: "Omar", family: "bin Khalid"),
            Case("Salman al Saud", given: "Salman", family: "al Saud"),
            Case("Abd al-Rahman Munif", given: "Abd al-Rahman", family: "Munif"),
            Case("Ali Al-Masri", given: "Ali", family: "Al-Masri"),
            Case("John Smith Jr.", given: "John", family: "Smith", suffix: "Jr."),
            Case("John Smith, Jr.", given: "John", family: "Smith", suffix: "Jr."),
            Case("Smith Jr., John", given: "John", family: "Smith", suffix: "Jr."),
            Case("Henry Ford III", given: "Henry", family: "Ford", suffix: "III"),
            Case("Diaz, Carmen Luz", given: "Carmen", middle: "Luz", family: "Diaz"),
            Case("Berg, Jan van der, PhD", given: "Jan", middle: "van der", family: "Berg", suffix: "PhD"),
            Case("Dr. Anna Müller", given: "Anna", family: "Müller", prefix: "Dr."),
            Case("Prof. Dr. Anna Müller", given: "Anna", family: "Müller", prefix: "Prof. Dr."),
            Case("Mr. Smith", family: "Smith", prefix: "Mr."),
            Case("Yo-Yo Ma", given: "Yo-Yo", family: "Ma"),
            Case("Malcolm X", given: "Malcolm", family: "X"),
            Case("Иван Петров", given: "Иван", family: "Петров"),
            Case("Иванов Иван Иванович", given: "Иван", middle: "Иванович", family: "Иванов"),
            Case("Лев Николаевич Толстой", given: "Лев", middle: "Николаевич", family: "Толстой"),
            Case("عبد الله الشمري", given: "عبد الله", family: "الشمري"),
            Case("山田太郎", given: "太郎", family: "山田"),
            Case("山田 太郎", given: "太郎", family: "山田"),
            Case("佐々木希", given: "希", family: "佐々木"),
            Case("山田はなこ", given: "はなこ", family: "山田"),
            Case("ジョン・スミス", given: "ジョン", family: "スミス"),
            Case("王小明", given: "小明", family: "王"),
            Case("欧阳娜娜", given: "娜娜", family: "欧阳"),
            Case("김민준", given: "민준", family: "김"),
            Case("남궁민수", given: "민수", family: "남궁"),
            Case("+1 702 555  0100", given: "+1 702 555 0100"),
            Case("", given: ""),
            Case(" , ,, "),
            Case("de", given: "de"),
            Case("van der", given: "van", family: "der"),
        ])
    func splitting(_ example: Case) {
        #expect(PersonName(splitting: example.whole) == example.name)
    }

    @Test("composes names in the order of their script")
    func composing() {
        #expect(PersonName(given: "Carmen", middle: "Luz", family: "Diaz").composed == "Carmen Luz Diaz")
        #expect(PersonName(given: "太郎", family: "山田").composed == "山田太郎")
        #expect(PersonName(given: "민준", family: "김").composed == "김민준")
        #expect(PersonName(prefix: "Dr.", given: "Ann", family: "Lee", suffix: "Jr.").composed == "Dr. Ann Lee Jr.")
    }

    @Test("the displayed name falls back to nickname, organisation, e-mail address and number")
    func displayName() {
        var contact = Contact()
        #expect(!contact.isNameable)
        contact.phones = [Phone(number: PhoneNumber("0532 123 45 67", region: "TR"))]
        #expect(contact.displayName == "0532 123 45 67")
        contact.emails = [Email(address: "a@example.org")]
        #expect(contact.displayName == "a@example.org")
        contact.organization = "Acme"
        #expect(contact.displayName == "Acme")
        contact.nickname = "Jogo"
        #expect(contact.displayName == "Jogo")
        contact.name = PersonName(splitting: "Ana Lima")
        #expect(contact.displayName == "Ana Lima")
    }
}
