import Contacts

package enum People {
    package static let all = [Contact(name: "Ana Sousa"), Contact(name: "Mario Diaz")]
}
