#pragma once

// A plugin whose answers from Reserve to PreBind are data: the rules of a conformance case. The
// format stands in FORMAT.md beside the recorded cases, under `permit`.
//
// Arguments: {"script": [rules]}. A rule counts for the plugin that it names; each of the three
// plugins takes its own out of the whole script.

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace berth::tests {

struct Rule {
  std::string point, answer, message;
  std::set<std::string> pods;  // NAMESPACE/NAME
  int64_t seconds = 0;
  int64_t times = 0;  // 0: no limit
  int64_t min = 0;
  bool reject_group = false;
  int64_t used = 0;
};

// What the hooks of an instance share. PreBind and PostBind may run beside the others (bind.h), so
// what changes has a lock.
class Script {
 public:
  void read(const sdk::Config& config, std::string_view plugin);
  void start(sdk::Host host) { waiting_ = sdk::WaitingPods(host); }

  // The rule that answers for the pod, which counts as used; null: success.
  const Rule* take(std::string_view point, const std::string& pod);
  size_t number_of(const Rule& rule) const {
    return static_cast<size_t>(&rule - rules_.data()) + 1;
  }
  const std::string& message(uint32_t rule) const { return rules_[rule - 1].message; }

  // Pods are known to the service by handle.
  void know(uint64_t handle, const std::string& pod) {
    const std::lock_guard lock(mutex_);
    names_[handle] = pod;
  }
  void forget(uint64_t handle) {
    const std::lock_guard lock(mutex_);
    names_.erase(handle);
  }

  // True if the pod goes on, and all pods of its group that wait; false if it waits too.
  bool group_is_complete(const Rule& rule) const;
  // Refuses the waiting pods of the groups of a pod that failed.
  void reject_groups_of(const std::string& pod) const;

 private:
  std::map<std::string, uint64_t> waiting_of(const Rule& rule) const;  // by name

  mutable std::mutex mutex_;  // of names_ and Rule::used
  std::vector<Rule> rules_;
  std::map<uint64_t, std::string> names_;
  sdk::WaitingPods waiting_;
};

inline void Script::read(const sdk::Config& config, std::string_view plugin) {
  for (const sdk::Config& from : config["script"].elements()) {
    Rule rule;
    rule.point = from["point"].text();
    rule.answer = from["answer"].text();
    rule.message = from["message"].text();
    for (const sdk::Config& pod : from["pods"].elements()) rule.pods.emplace(pod.text());
    rule.seconds = from["seconds"].integer();
    rule.times = from["times"].integer();
    rule.min = from["min"].integer();
    rule.reject_group = from["rejectGroup"].boolean();
    if (from["plugin"].text() == plugin) rules_.push_back(std::move(rule));
  }
}

inline const Rule* Script::take(std::string_view point, const std::string& pod) {
  const std::lock_guard lock(mutex_);
  for (Rule& rule : rules_) {
    if (rule.point != point || !rule.pods.contains(pod)) continue;
    if (rule.times != 0 && rule.used >= rule.times) continue;
    ++rule.used;
    return &rule;
  }
  return nullptr;
}

inline std::map<std::string, uint64_t> Script::waiting_of(const Rule& rule) const {
  std::map<std::string, uint64_t> members;
  const auto waiting = waiting_.all();
  const std::lock_guard lock(mutex_);
  for (const auto& [handle, node] : waiting) {
    const auto known = names_.find(handle);
    if (known != names_.end() && rule.pods.contains(known->second))
      members.emplace(known->second, handle);
  }
  return members;
}

inline bool Script::group_is_complete(const Rule& rule) const {
  const auto members = waiting_of(rule);
  if (static_cast<int64_t>(members.size()) + 1 < rule.min) return false;
  for (const auto& [name, handle] : members) waiting_.allow(handle);
  return true;
}

inline void Script::reject_groups_of(const std::string& pod) const {
  for (const Rule& rule : rules_) {
    if (rule.answer != "group" || !rule.reject_group || !rule.pods.contains(pod)) continue;
    for (const auto& [name, handle] : waiting_of(rule))
      if (name != pod) waiting_.reject(handle, "the group failed");
  }
}

// What the hooks have in common: the script, and names of pods.
template <class Point>
class ScriptedHook : public Point {
 public:
  explicit ScriptedHook(Script& script) : script_(script) {}
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }

 protected:
  using Call = typename Point::Call;
  static constexpr int64_t kSecond = 1'000'000'000;

  size_t count(const Call& call) const { return call[handle_].size(); }
  uint64_t handle(const Call& call, size_t i) const { return call[handle_][i]; }
  std::string name(const Call& call, size_t i) const {
    return sdk::concat(strings_.text(call[namespace_][i]), '/', strings_.text(call[name_][i]));
  }
  // The code of a rule that refuses or fails; the text of a failure goes to the call.
  uint8_t refuse(const Call& call, const Rule& rule) const {
    if (rule.answer == "unschedulable") return BERTH_UNSCHEDULABLE;
    if (rule.answer == "unresolvable") return BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE;
    call.error().write(rule.answer == "error" ? rule.message
                                              : "the script has an answer \"" + rule.answer + '"');
    return BERTH_ERROR;
  }
  void describe_rule(uint32_t reason, const sdk::TextSink& sink) const {
    sink.write(script_.message(reason));
  }

  Script& script_;

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> namespace_{*this, "pod.namespace"};
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Strings strings_;
};

class ScriptedReserve final : public ScriptedHook<sdk::Reserve> {
 public:
  using ScriptedHook::ScriptedHook;
  void reserve(const Call& call, std::span<uint8_t> codes,
               std::span<uint32_t> reasons) const override {
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
    for (size_t i = 0; i < codes.size(); ++i) {
      script_.know(handle(call, i), name(call, i));
      const Rule* rule = script_.take("reserve", name(call, i));
      if (rule == nullptr) continue;
      codes[i] = refuse(call, *rule);
      reasons[i] = static_cast<uint32_t>(script_.number_of(*rule));
    }
  }
  void unreserve(const Call& call) const noexcept override {
    for (size_t i = 0; i < count(call); ++i) {
      script_.reject_groups_of(name(call, i));
      script_.forget(handle(call, i));
    }
  }
  void describe(const Call&, uint32_t reason, const sdk::TextSink& sink) const override {
    describe_rule(reason, sink);
  }
};

class ScriptedPermit final : public ScriptedHook<sdk::Permit> {
 public:
  using ScriptedHook::ScriptedHook;
  void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t> reasons,
              std::span<int64_t> timeouts) const override {
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
    for (size_t i = 0; i < codes.size(); ++i) {
      const Rule* rule = script_.take("permit", name(call, i));
      if (rule == nullptr) continue;
      reasons[i] = static_cast<uint32_t>(script_.number_of(*rule));
      timeouts[i] = rule->seconds * kSecond;
      if (rule->answer == "wait") {
        codes[i] = BERTH_WAIT;
      } else if (rule->answer == "group") {
        codes[i] = script_.group_is_complete(*rule) ? BERTH_SUCCESS : BERTH_WAIT;
      } else {
        codes[i] = refuse(call, *rule);
      }
    }
  }
  void describe(const Call&, uint32_t reason, const sdk::TextSink& sink) const override {
    describe_rule(reason, sink);
  }
};

class ScriptedPreBind final : public ScriptedHook<sdk::PreBind> {
 public:
  using ScriptedHook::ScriptedHook;
  void pre_bind(const Call& call, std::span<uint8_t> codes) const override {
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
    for (size_t i = 0; i < codes.size(); ++i) {
      if (!call.wanted(i)) continue;
      const Rule* rule = script_.take("preBind", name(call, i));
      if (rule == nullptr) continue;
      codes[i] = refuse(call, *rule);
      if (codes[i] != BERTH_ERROR) call.error().write(rule->message);
    }
  }
};

class ScriptedPostBind final : public ScriptedHook<sdk::PostBind> {
 public:
  using ScriptedHook::ScriptedHook;
  void post_bind(const Call& call) const noexcept override {
    for (size_t i = 0; i < count(call); ++i)
      if (call.wanted(i)) script_.forget(handle(call, i));
  }
};

// Any such event helps.
class ScriptedHints final : public sdk::Hints<> {
 public:
  explicit ScriptedHints(uint32_t of_nodes) : of_nodes_(of_nodes) {}
  uint32_t actions(uint32_t kind) const override { return kind == BERTH_ON_NODE ? of_nodes_ : 0; }
  bool hint(const Call&, const sdk::Event&) const override { return true; }

 private:
  uint32_t of_nodes_;
};

class Scripted : public sdk::Plugin {
 public:
  explicit Scripted(std::string_view name) : name_(name) {
    add(reserve_, permit_, pre_bind_, post_bind_);
  }
  static void validate(const sdk::Config& config) { Script().read(config, {}); }
  void init(sdk::Host host, const sdk::Config& config) override {
    script_.read(config, name_);
    script_.start(host);
  }

 private:
  std::string_view name_;
  Script script_;
  ScriptedReserve reserve_{script_};
  ScriptedPermit permit_{script_};
  ScriptedPreBind pre_bind_{script_};
  ScriptedPostBind post_bind_{script_};
};

}  // namespace berth::tests

#define BERTH_SCRIPTED_POINTS BERTH_RESERVE " " BERTH_PERMIT " " BERTH_PRE_BIND " " BERTH_POST_BIND
