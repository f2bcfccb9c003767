#include "NumberPlans.h"

namespace {

bool isDigit(char character) { return character >= '0' && character <= '9'; }

bool isOfDigits(std::string_view text) {
    for (char character : text) {
        if (!isDigit(character)) return false;
    }
    return true;
}

// A reader for Protocol Buffers messages (https://protobuf.dev/programming-guides/encoding).
class Message {
public:
    explicit Message(std::string_view bytes) : rest(bytes) {}

    int field = 0;
    uint64_t number = 0;
    std::string_view bytes;

    // Reads the next field into `field` and `number` or `bytes`. Returns false at the end or if the message is corrupt.
    bool next() {
        uint64_t tag, length;
        number = 0;
        bytes = {};
        if (rest.empty()) return false;
        if (!readNumber(tag)) return fail();
        field = static_cast<int>(tag >> 3);
        switch (tag & 7) {
        case 0: return readNumber(number) || fail();
        case 1: return take(8);
        case 2: return (readNumber(length) || fail()) && take(length);
        case 5: return take(4);
        default: return fail();
        }
    }

    bool isCorrupt = false;

private:
    std::string_view rest;

    bool fail() {
        isCorrupt = true;
        return false;
    }

    bool take(uint64_t length) {
        if (length > rest.size()) return fail();
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

// Reads the possible lengths in a PhoneNumberDesc as bits, without local-only lengths.
bool readLengths(std::string_view description, uint32_t &lengths) {
    Message message(description);
    uint32_t local = 0;
    lengths = 0;
    while (message.next()) {
        const bool isPossible = message.field == 9;
        if (!isPossible && message.field != 10) continue;
        // The list could be packed, but the library writes one field per number. -1 means that there are no such
        // numbers.
        if (!message.bytes.empty()) return false;
        if (message.number < 32) (isPossible ? lengths : local) |= uint32_t(1) << message.number;
    }
    lengths &= ~local;
    return !message.isCorrupt;
}

}  // namespace

NumberPlans::NumberPlans(std::string_view metadata, const std::function<std::string(int code)> &mainRegion) {
    Message collection(metadata);
    bool isWhole = true;
    while (isWhole && collection.next()) {
        if (collection.field == 1) isWhole = addPlan(collection.bytes, mainRegion);
    }
    if (!isWhole || collection.isCorrupt) plans = {};
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
    if (message.isCorrupt || code >= plans.size()) return false;
    Plan &plan = plans[code];
    plan.isKnown = true;
    if (region != mainRegion(static_cast<int>(code))) return true;
    if (!readLengths(description, plan.lengths)) return false;
    plan.prefix = prefix;
    // A prefix with anything but digits is a regular expression.
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
        // The library checks short numbers, and numbers with a leading zero, which it stores separately.
        if (!plan.isSimple || national.size() < 7 || national.size() > 17 || national.front() == '0') return {};
        if ((plan.lengths >> national.size() & 1) == 0) return {};
        if (!plan.prefix.empty() && national.substr(0, plan.prefix.size()) == plan.prefix) return {};
        return Number{code, national};
    }
    return {};
}
