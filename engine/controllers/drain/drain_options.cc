#include "engine/controllers/drain/drain_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text/go_duration.h"
#include "engine/controllers/drain/label_selector_text.h"

namespace berth::controllers {
namespace {

constexpr std::array<std::string_view, 5> kNotPlayed = {
    "chunk-size", "dry-run", "selector", "skip-wait-for-delete-timeout", "delete-local-data"};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;  // a word
  char quote = 0;
  for (const char c : text) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? 0 : c;
      if (!inside) words.emplace_back();
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      inside = true;
      words.back() += c;
    }
  }
  if (quote != 0) throw Error(fmt::format("expected {} at the end, to end a quotation", quote));
  return words;
}

class DrainOptionReader {
 public:
  explicit DrainOptionReader(std::vector<std::string> words) : words_(std::move(words)) {}

  DrainOptions read() {
    while (at_ < words_.size()) option();
    return options_;
  }

 private:
  void option() {
    std::string_view word = words_[at_++];
    if (!word.starts_with("--") || word.size() == 2)
      throw Error(
          fmt::format("expected an option of kubectl drain such as --force, found \"{}\"", word));
    word.remove_prefix(2);
    const size_t equals = word.find('=');
    name_ = word.substr(0, equals);
    value_.reset();
    if (equals != word.npos) value_ = word.substr(equals + 1);
    if (bool* const flag = find_flag()) {
      *flag = boolean();
    } else if (name_ == "grace-period") {
      const int64_t seconds = number();
      options_.grace_seconds.reset();
      if (seconds >= 0) options_.grace_seconds = seconds;
    } else if (name_ == "timeout") {
      options_.timeout = duration();
    } else if (name_ == "pod-selector") {
      selector();
    } else if (std::ranges::count(kNotPlayed, name_) != 0) {
      throw Error(fmt::format("the option --{} of kubectl drain is not played here", name_));
    } else {
      throw Error(fmt::format("kubectl drain has no option --{}", name_));
    }
  }

  bool* find_flag() {
    if (name_ == "force") return &options_.force;
    if (name_ == "ignore-daemonsets") return &options_.ignore_daemon_sets;
    if (name_ == "delete-emptydir-data") return &options_.delete_empty_dir_data;
    if (name_ == "disable-eviction") return &options_.disable_eviction;
    return nullptr;
  }

  [[noreturn]] void refuse(std::string_view expected) const {
    throw Error(fmt::format("--{}: expected {}, found \"{}\"", name_, expected,
                            value_.value_or(std::string_view())));
  }

  bool boolean() const {
    if (!value_ || *value_ == "true") return true;
    if (*value_ != "false") refuse("true or false");
    return false;
  }
  // The value stands behind "=", or is the next word.
  std::string_view value() {
    if (!value_ && at_ < words_.size()) value_ = words_[at_++];
    if (!value_) throw Error(fmt::format("--{}: expected a value", name_));
    return *value_;
  }
  int64_t number() {
    const std::string_view text = value();
    int32_t result = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error != std::errc() || end != text.data() + text.size()) refuse("a number of seconds");
    return result;
  }
  Time duration() {
    const std::optional<int64_t> result = parse_duration(value());
    if (!result || *result < 0) refuse("a duration such as 5m, or 0 for none");
    return Time(*result);
  }
  void selector() try {
    options_.pod_selector = parse_label_selector(value());
  } catch (const Error& error) {
    throw Error("--pod-selector: " + error.message());
  }

  const std::vector<std::string> words_;
  size_t at_ = 0;
  std::string_view name_;
  std::optional<std::string_view> value_;
  DrainOptions options_;
};

}  // namespace

DrainOptions parse_drain_options(std::string_view text) {
  return DrainOptionReader(words_of(text)).read();
}

}  // namespace berth::controllers
