#include "NumberPlans.h"

namespace {

bool isDigit(char character) { return character >= '0' && character <= '9'; }

bool isOfDigits(std::string_view text) {
    for (char character : text) {
        if (!isDigit(character)) return false;
    }
    return true;
}

// The fields of a message of protocol buffers (https://protobuf.dev/programming-guides/encoding).
class Message {
public:
    explicit Message(std::string_view bytes) : rest(bytes) {}

    int field = 0;
    uint64_t number = 0;
    std::string_view bytes;

    // Reads the next field into `field` and `number` or `bytes`; false at the end, and where the message is torn.
    bool next() {
        uint64_t tag, length;
        number = 0;
        bytes = {};
        if (rest.empty()) return false;
        if (!readNumber(tag)) return tear();
        field = static_cast<int>(tag >> 3);
        switch (tag & 7) {
        case 0: return readNumber(number) || tear();
        case 1: return take(8);
        case 2: return (readNumber(length) || tear()) && take(length);
        case 5: return take(4);
        default: return tear();
        }
    }

    bool isTorn = false;

private:
    std::string_view rest;

    bool tear() {
        isTorn = true;
        return false;
    }

    bool take(uint64_t length) {
        if (length > rest.size()) return tear();
        bytes = rest.substr(0, length);
        rest.remove_prefix(length);
        return true;
    }

    bool readNumber(uint64_t &value) {
        value = 0;
        for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(rest.front());
            rest.remove_prefix(1);
            value |= static_cast<uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) return true;
        }
        return false;
    }
};

// The bits of the lengths in a PhoneNumberDesc, without those that are dialled inside a town alone.
bool readLengths(std::string_view description, uint32_t &lengths) {
    Message message(description);
    uint32_t local = 0;
    lengths = 0;
    while (message.next()) {
        const bool isPossible = message.field == 9;
        if (!isPossible && message.field != 10) continue;
        // A list of numbers may be packed; the library writes each as a field. -1, where there are no such numbers, is no length.
        if (!message.bytes.empty()) return false;
        if (message.number < 32) (isPossible ? lengths : local) |= uint32_t(1) << message.number;
    }
    lengths &= ~local;
    return !message.isTorn;
}

}  // namespace

NumberPlans::NumberPlans(std::string_view metadata, const std::function<std::string(int code)> &mainRegion) {
    Message collection(metadata);
    bool isWhole = true;
    while (isWhole && collection.next()) {
        if (collection.field == 1) isWhole = addPlan(collection.bytes, mainRegion);
    }
    if (!isWhole || collection.isTorn) plans = {};
}

bool NumberPlans::addPlan(std::string_view metadata, const std::function<std::string(int code)> &mainRegion) {
    Message message(metadata);
    std::string_view region, description, prefix;
    uint64_t code = 0;
    while (message.next()) {
        switch (message.field) {
        case 1: description = message.bytes; break;
        case 9: region = message.bytes; break;
        case 10: code = message.number; break;
        case 15: prefix = message.bytes; break;
        default: break;
        }
    }
    if (message.isTorn || code >= plans.size()) return false;
    Plan &plan = plans[code];
    plan.isKnown = true;
    if (region != mainRegion(static_cast<int>(code))) return true;
    if (!readLengths(description, plan.lengths)) return false;
    plan.prefix = prefix;
    // Anything but digits in it is a regular expression.
    plan.isSimple = isOfDigits(prefix);
    return true;
}

std::optional<NumberPlans::Number> NumberPlans::read(std::string_view text) const {
    if (text.size() < 2 || text.front() != '+' || text[1] == '0' || !isOfDigits(text.substr(1))) return {};
    text.remove_prefix(1);
    int code = 0;
    for (size_t length = 1; length <= 3 && length < text.size(); ++length) {
        code = code * 10 + (text[length - 1] - '0');
        const Plan &plan = plans[static_cast<size_t>(code)];
        if (!plan.isKnown) continue;
        const std::string_view national = text.substr(length);
        // Short numbers must be in a plan, and zeros that a number begins with are kept apart: the library knows.
        if (!plan.isSimple || national.size() < 7 || national.size() > 17 || national.front() == '0') return {};
        if ((plan.lengths >> national.size() & 1) == 0) return {};
        if (!plan.prefix.empty() && national.substr(0, plan.prefix.size()) == plan.prefix) return {};
        return Number{code, national};
    }
    return {};
}
