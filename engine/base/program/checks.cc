#include "engine/base/program/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/text/suggestion.h"
#include "engine/base/text/typed_number.h"

namespace berth::check {

namespace {

// CLI11 takes an empty text for success.
std::string for_cli11(std::optional<std::string> problem) {
  return std::move(problem).value_or(std::string());
}

}  // namespace

CLI::Validator whole_number(uint64_t low, uint64_t high) {
  return CLI::Validator(
      [=](std::string& text) { return for_cli11(whole_number_problem(text, low, high)); }, "");
}

CLI::Validator number(double low, double high) {
  return CLI::Validator(
      [=](std::string& text) { return for_cli11(number_problem(text, low, high)); }, "");
}

CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words = std::move(words)](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        const std::string nearest = nearest_word(text, words);
        return fmt::format("expected {}, found \"{}\"{}", fmt::join(words, " or "), text,
                           nearest.empty() ? "" : "; did you mean " + nearest + "?");
      },
      "");
}

}  // namespace berth::check
