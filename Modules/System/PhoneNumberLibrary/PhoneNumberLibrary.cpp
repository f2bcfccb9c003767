#include "SwitchboardPhoneNumberLibrary.h"

#include "NumberPlans.h"

#include <phonenumbers/logger.h>
#include <phonenumbers/phonenumber.pb.h>
#include <phonenumbers/phonenumberutil.h>

#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

using i18n::phonenumbers::Logger;
using i18n::phonenumbers::PhoneNumber;
using i18n::phonenumbers::PhoneNumberUtil;

// The library's metadata. It exports these functions, but no header declares them; null if a version lacks them.
namespace i18n::phonenumbers {
[[gnu::weak]] int metadata_size();
[[gnu::weak]] const void *metadata_get();
}  // namespace i18n::phonenumbers

using i18n::phonenumbers::metadata_get;
using i18n::phonenumbers::metadata_size;

namespace {

// The library's own limit is 250 characters. A text of more bytes is not a number in any script.
constexpr size_t longestText = 512;

// Discards log messages. The library's default logger writes to standard output.
struct NullLogger : Logger {
    void WriteMessage(const std::string &) override {}
};

// The library's only instance, and the plans of its metadata.
struct Library {
    PhoneNumberUtil &util = *PhoneNumberUtil::GetInstance();
    std::optional<NumberPlans> plans;

    Library() {
        util.SetLogger(new NullLogger);
        // A library with another metadata format parses all numbers itself.
        if (!metadata_get || !metadata_size || metadata_size() <= 0) return;
        const std::string_view bytes(static_cast<const char *>(metadata_get()), static_cast<size_t>(metadata_size()));
        plans.emplace(bytes, [this](int code) { return mainRegion(code); });
    }

    std::string mainRegion(int code) const {
        std::string region;
        util.GetRegionCodeForCountryCode(code, &region);
        return region;
    }

    // Never destroyed: other threads may still parse when the process exits.
    static const Library &shared() {
        static const Library *library = new Library;
        return *library;
    }
};

// The properties of a country code, cached because the library computes them from texts each time.
struct Country {
    std::string mainRegion;
    std::string trunkPrefix;

    Country(int code, const Library &library) : mainRegion(library.mainRegion(code)) {
        library.util.GetNddPrefixForRegion(mainRegion, true, &trunkPrefix);
    }

    static Country of(int code, const Library &library) {
        // Country codes have at most three digits.
        static std::atomic<const Country *> known[1000];
        if (code < 0 || code >= 1000) return Country(code, library);
        if (const Country *country = known[code].load(std::memory_order_acquire)) return *country;
        const Country *made = new Country(code, library);
        const Country *first = nullptr;
        if (known[code].compare_exchange_strong(first, made, std::memory_order_acq_rel)) return *made;
        delete made;
        return *first;
    }
};

// Copies the digits and a leading plus of `text`. Returns false if they do not fit.
template <size_t capacity>
bool copyDigits(const std::string &text, char (&target)[capacity]) {
    size_t count = 0;
    for (char character : text) {
        bool isDigit = character >= '0' && character <= '9';
        if (!isDigit && !(character == '+' && count == 0)) continue;
        if (count + 1 >= capacity) return false;
        target[count++] = character;
    }
    target[count] = 0;
    return true;
}

// Removes common separators, which halves the time of the library's regular expressions. A text with other characters
// (letters, an extension, digits of other scripts) is returned unchanged.
std::string withoutSeparators(const char *text, size_t length) {
    std::string digits;
    digits.reserve(length);
    for (size_t index = 0; index < length; ++index) {
        const auto byte = static_cast<unsigned char>(text[index]);
        const auto following = [&](size_t offset) {
            return index + offset < length ? static_cast<unsigned char>(text[index + offset]) : 0;
        };
        if ((byte >= '0' && byte <= '9') || (byte == '+' && digits.empty())) {
            digits.push_back(static_cast<char>(byte));
        } else if (byte == ' ' || byte == '-' || byte == '.' || byte == '(' || byte == ')') {
            continue;
        } else if (byte == 0xC2 && following(1) == 0xA0) {
            index += 1;  // no-break space
        } else if (byte == 0xE2 && following(1) == 0x80 && following(2) >= 0x8B && following(2) <= 0xAF) {
            index += 2;  // hyphens, dashes, narrow spaces, and the direction marks that phones add
        } else {
            return std::string(text, length);
        }
    }
    return digits;
}

// In Argentina and Mexico, the national and international forms of a mobile number differ in more than the prefix.
bool hasSpecialNationalForm(int countryCode) { return countryCode == 54 || countryCode == 52; }

// Parses an international number of a country with a simple plan, with the same result as the library.
bool parseInternational(const Library &library, const std::string &text, sb_phone_number &result) {
    if (!library.plans) return false;
    const auto number = library.plans->read(text);
    if (!number || hasSpecialNationalForm(number->countryCode)) return false;
    const Country country = Country::of(number->countryCode, library);
    const std::string national(number->national);
    if (!copyDigits(text, result.e164) || !copyDigits(national, result.national)) return false;
    if (!country.trunkPrefix.empty() && !copyDigits(country.trunkPrefix + national, result.trunk)) result.trunk[0] = 0;
    return true;
}

sb_phone_status parse(
    const Library &library, const std::string &text, const std::string &region, sb_phone_number &result) {
    if (parseInternational(library, text, result)) return SB_PHONE_OK;
    const PhoneNumberUtil &util = library.util;
    PhoneNumber number;
    // A number without an area code can only be dialed locally and has no international form.
    if (util.Parse(text, region, &number) != PhoneNumberUtil::NO_PARSING_ERROR
        || util.IsPossibleNumberWithReason(number) != PhoneNumberUtil::IS_POSSIBLE) {
        return SB_PHONE_NOT_NORMALISABLE;
    }

    std::string national;
    util.GetNationalSignificantNumber(number, &national);
    // Short codes (112, 4711) have a possible length in some plans, so they must also be valid.
    if (national.size() < 7 && !util.IsValidNumber(number)) return SB_PHONE_NOT_NORMALISABLE;
    const int countryCode = number.country_code();
    if (hasSpecialNationalForm(countryCode)) {
        std::string written;
        util.Format(number, PhoneNumberUtil::NATIONAL, &written);
        // The national format ends with the extension, which is not dialed.
        const size_t end = number.has_extension() ? written.find(" ext") : std::string::npos;
        if (!copyDigits(written.substr(0, end), result.trunk)) result.trunk[0] = 0;
    } else {
        const std::string prefix = Country::of(countryCode, library).trunkPrefix;
        if (!prefix.empty() && !copyDigits(prefix + national, result.trunk)) result.trunk[0] = 0;
    }

    if (!copyDigits("+" + std::to_string(countryCode) + national, result.e164)) return SB_PHONE_NOT_NORMALISABLE;
    if (!copyDigits(national, result.national)) return SB_PHONE_NOT_NORMALISABLE;
    if (!copyDigits(number.extension(), result.extension)) result.extension[0] = 0;
    return SB_PHONE_OK;
}

}  // namespace

sb_phone_status sb_phone_library_parse(
    const char *text, size_t length, const char *region, sb_phone_number *number) {
    if (number == nullptr) return SB_PHONE_NOT_NORMALISABLE;
    std::memset(number, 0, sizeof *number);
    if (text == nullptr || length == 0 || length > longestText) return SB_PHONE_NOT_NORMALISABLE;
    try {
        return parse(
            Library::shared(), withoutSeparators(text, length), region != nullptr ? region : "ZZ", *number);
    } catch (...) {
        std::memset(number, 0, sizeof *number);
        return SB_PHONE_NOT_NORMALISABLE;
    }
}
