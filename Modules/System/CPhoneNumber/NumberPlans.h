// What the library's metadata say of each country code, as far as it takes to read a number that is written in full.
//
// Reading "+12125550100" by the library takes some six microseconds, nearly all of them in regular expressions that find nothing.
// Where the plan of a country is simple, two questions remain: whether its numbers may be so long, and whether the digits begin with
// the prefix that they have at home. Whatever else there is in a text or a plan is left to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// The plans of all country codes.
class NumberPlans {
public:
    /// Reads the library's own metadata (phonemetadata.proto, a PhoneMetadataCollection); no plan is simple if they are torn.
    ///
    /// `mainRegion` tells the territory whose plan counts for all of a code, as that of the United States does for 1.
    NumberPlans(std::string_view metadata, const std::function<std::string(int code)> &mainRegion);

    struct Number {
        int countryCode;
        std::string_view national;
    };

    /// The parts of "+" and digits; nothing if the library has to look.
    std::optional<Number> read(std::string_view text) const;

private:
    struct Plan {
        bool isKnown = false;
        bool isSimple = false;
        /// A bit for each count of digits that a number may have.
        uint32_t lengths = 0;
        /// What the library takes off the digits if they begin with it.
        std::string prefix;
    };

    // The codes of countries have at most three digits.
    std::array<Plan, 1000> plans;

    bool addPlan(std::string_view metadata, const std::function<std::string(int code)> &mainRegion);
};
