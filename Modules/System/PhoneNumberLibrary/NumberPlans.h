// The part of the library's metadata that is needed to parse international numbers.
//
// The library takes about six microseconds for "+12125550100", nearly all of them in regular expressions that do not
// match. For a country with a simple plan, two checks suffice: the length, and that the number does not begin with the
// national prefix. All other numbers are left to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// The numbering plans of all country codes.
class NumberPlans {
public:
    /// Reads the library's metadata (phonemetadata.proto, a PhoneMetadataCollection). If it is corrupt, no plan is
    /// simple.
    ///
    /// `mainRegion` returns the region whose plan applies to a country code, such as the United States for 1.
    NumberPlans(std::string_view metadata, const std::function<std::string(int code)> &mainRegion);

    struct Number {
        int countryCode;
        std::string_view national;
    };

    /// Parses "+" and digits. Returns nothing if the library must parse the number.
    std::optional<Number> read(std::string_view text) const;

private:
    struct Plan {
        bool isKnown = false;
        bool isSimple = false;
        /// The possible lengths of a number, as bits.
        uint32_t lengths = 0;
        /// The national prefix, which the library strips.
        std::string prefix;
    };

    // Country codes have at most three digits.
    std::array<Plan, 1000> plans;

    bool addPlan(std::string_view metadata, const std::function<std::string(int code)> &mainRegion);
};
