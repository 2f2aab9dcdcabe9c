#pragma once

// The arguments of a plugin. Reading is strict and typed: a value of another kind is reported
// through the host with its path, and the fallback is returned, so that one pass finds every error.
//
//   static Args read(const sdk::Config& config) {
//     config.type_meta("RackArgs");
//     return {.weight = config["weight"].integer(1, 0, 100)};
//   }

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/config.h"
#include "berth/abi/rules.h"
#include "berth/sdk/failure.hpp"
#include "berth/sdk/text.hpp"

namespace berth::sdk {

class Config {
 public:
  // The root. Null: an empty configuration.
  explicit Config(const berth_config* config) : config_(config) {}

  // A member of an object. Makes the name a known field for the host.
  Config operator[](std::string_view name) const {
    Config member(config_);
    member.node_ = present() ? config_->member(config_, node_, to_abi(name)) : BERTH_CONFIG_ABSENT;
    member.parent_ = node_;
    member.name_ = name;
    return member;
  }

  // True if the member exists and is not null.
  bool present() const {
    return config_ != nullptr && node_ != BERTH_CONFIG_ABSENT && kind() != BERTH_CONFIG_NULL;
  }

  // The value. Returns `fallback` if it is absent, or if it is of another kind, which is reported.
  std::string_view text(std::string_view fallback = {}) const {
    berth_string value{};
    if (!read("a string", [&] { return config_->string(config_, node_, &value); })) return fallback;
    return to_view(value);
  }
  bool boolean(bool fallback = false) const {
    uint8_t value = 0;
    if (!read("true or false", [&] { return config_->boolean(config_, node_, &value); }))
      return fallback;
    return value != 0;
  }
  // Also reports a value outside of low..high, and returns `fallback` for it.
  int64_t integer(int64_t fallback = 0, int64_t low = INT64_MIN, int64_t high = INT64_MAX) const {
    int64_t value = 0;
    if (!read("a whole number", [&] { return config_->integer(config_, node_, &value); }))
      return fallback;
    if (value >= low && value <= high) return value;
    error(concat("must be from ", low, " to ", high));
    return fallback;
  }
  double number(double fallback = 0) const {
    double value = 0;
    if (!read("a number", [&] { return config_->number(config_, node_, &value); })) return fallback;
    return value;
  }
  // The elements of an array; empty if it is absent or, which is reported, not an array.
  std::vector<Config> elements() const {
    std::vector<Config> all;
    if (!is(BERTH_CONFIG_ARRAY, "a list")) return all;
    const uint32_t count = config_->length(config_, node_);
    for (uint32_t i = 0; i < count; ++i) {
      all.push_back(*this);
      all.back().node_ = config_->element(config_, node_, i);
    }
    return all;
  }
  // A member of an object with its name.
  struct Member;
  // The members of an object, in the order of the text, all of which become known fields; empty if
  // it is absent or, which is reported, not an object. Throws Failure in hosts before ABI 1.2.
  std::vector<Member> members() const;
  // A Kubernetes quantity, in units, or in thousandths if `parts` is 1000, rounded up. Reports and
  // returns as integer() does. Throws Failure in hosts before ABI 1.2.
  int64_t quantity(int64_t fallback = 0, uint32_t parts = 1) const {
    int64_t value = 0;
    const auto get = [&] { return since_1_2().quantity(config_, node_, parts, &value); };
    return read("a quantity such as 500m or 2Gi", get) ? value : fallback;
  }
  // A duration as Kubernetes writes it ("1m30s").
  std::chrono::nanoseconds duration(std::chrono::nanoseconds fallback = {}) const {
    int64_t value = 0;
    const auto get = [&] { return since_1_2().duration(config_, node_, &value); };
    return read("a duration such as 1m30s", get) ? std::chrono::nanoseconds(value) : fallback;
  }
  // True if a rule of the host's version of Kubernetes holds (berth/abi/rules.h). Since ABI 1.3;
  // false for hosts that are older.
  bool rule(std::string_view name) const {
    return config_ != nullptr && BERTH_HAS(config_, rule) &&
           config_->rule(config_, to_abi(name)) == BERTH_RULE_YES;
  }
  // True for an object. Reports anything else that is present.
  bool object() const { return is(BERTH_CONFIG_OBJECT, "an object"); }

  // Makes everything below known. For a part that the host reads.
  void accept() const {
    if (present()) config_->accept(config_, node_);
  }
  // Reads the members apiVersion and kind, which Kubernetes' argument types may have, and reports
  // them if they name another type.
  void type_meta(std::string_view kind) const;

  // Reports `what` at this node, or at `below` (".shape[0].score") under it. An absent member is
  // reported through its parent.
  void error(std::string_view what, std::string_view below = {}) const {
    if (config_ == nullptr) return;
    if (node_ != BERTH_CONFIG_ABSENT)
      return config_->error(config_, node_, to_abi(below), to_abi(what));
    if (parent_ == BERTH_CONFIG_ABSENT) return;
    config_->error(config_, parent_, to_abi(concat(".", name_, below)), to_abi(what));
  }

  const berth_config* raw() const { return config_; }
  uint32_t node() const { return node_; }

 private:
  uint32_t kind() const { return config_->kind(config_, node_); }
  const berth_config& since_1_2() const {
    if (!BERTH_HAS(config_, duration))
      throw Failure(
          "the host's reader of arguments is older than ABI 1.2, which this plugin needs");
    return *config_;
  }
  bool is(uint32_t wanted, std::string_view name) const {
    return read(name, [&] { return static_cast<uint32_t>(kind() == wanted); });
  }
  template <class Read>
  bool read(std::string_view wanted, Read&& value) const {
    if (!present()) return false;
    if (value() != 0) return true;
    error(concat("must be ", wanted));
    return false;
  }

  const berth_config* config_;
  uint32_t node_ = 0;
  uint32_t parent_ = BERTH_CONFIG_ABSENT;
  std::string_view name_;
};

struct Config::Member {
  std::string_view name;
  Config value;
};

inline std::vector<Config::Member> Config::members() const {
  std::vector<Member> all;
  if (!object()) return all;
  const berth_config& reader = since_1_2();
  const uint32_t count = reader.members(config_, node_);
  for (uint32_t i = 0; i < count; ++i) {
    berth_string name{};
    Config member(config_);
    member.node_ = reader.member_at(config_, node_, i, &name);
    member.parent_ = node_;
    member.name_ = to_view(name);
    all.push_back({member.name_, member});
  }
  return all;
}

inline void Config::type_meta(std::string_view kind) const {
  constexpr std::string_view kGroup = "kubescheduler.config.k8s.io";
  const std::string_view version = (*this)["apiVersion"].text();
  const std::string_view given = (*this)["kind"].text();
  const std::string_view group = version.substr(0, version.find('/'));
  const bool same_group = version.empty() || group == kGroup;
  if ((given.empty() || given == kind) && same_group) return;
  error(concat("the arguments are of type ", given.empty() ? kind : given, ".",
               version.empty() ? kGroup : group, ", not ", kind, ".", kGroup));
}

}  // namespace berth::sdk
