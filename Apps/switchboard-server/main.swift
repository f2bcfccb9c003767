import Hummingbird
import HummingbirdTLS
print("x")
