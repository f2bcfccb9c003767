import SwitchboardKeypad

func keypadInput() throws {
    print(digits(of: "Rio Grande"))  // 7460472633
    let query = try KeypadQuery(parsing: "+44 20")
    print(query.keys, query.isInternational)
}
