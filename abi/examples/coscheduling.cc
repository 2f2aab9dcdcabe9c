// Groups of pods that are bound together or not at all. Pods of one namespace with the same label
// example.com/group are a group of `members` pods:
//
//   {"members": 4, "waitSeconds": 60}
//
// Permit holds a pod until so many pods of its group have nodes, and then lets all of them go on.
// If one of them fails before that, Unreserve refuses the others, so that they do not keep nodes
// that the group cannot use. When a pod was refused so, it is tried again when a pod leaves a node,
// when a node comes or changes, and when another pod of its group waits: otherwise pods of a group
// could take turns in waiting for each other for ever.

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "berth/sdk/sdk.hpp"

namespace sdk = berth::sdk;

// The groups with pods that have nodes and are not bound.
class Groups {
 public:
  using Group = std::pair<uint32_t, uint32_t>;  // string ids of the namespace and of the label

  void start(sdk::Host host, int64_t members, int64_t wait_seconds) {
    constexpr int64_t kSecond = 1'000'000'000;
    waiting_ = sdk::WaitingPods(host);
    members_ = members;
    wait_ = wait_seconds * kSecond;
  }
  int64_t wait() const { return wait_; }

  // True if the pod completes its group, and then its other pods are allowed. Otherwise those that
  // were refused are tried next.
  bool complete(const Group& group, uint64_t pod) {
    const std::vector<uint64_t> others = waiting(group, pod);
    if (static_cast<int64_t>(others.size()) + 1 < members_) {
      pods_[group].push_back(pod);
      activate(group);
      return false;
    }
    for (const uint64_t other : others) waiting_.allow(other);
    pods_.erase(group);
    return true;
  }

  // Refuses the pods of the group that wait. Each is refused once, since it leaves the list first.
  void fail(const Group& group, uint64_t pod) {
    refused_[group].insert(pod);
    const std::vector<uint64_t> others = waiting(group, pod);
    pods_.erase(group);
    for (const uint64_t other : others) waiting_.reject(other, "another pod of the group failed");
  }

 private:
  void activate(const Group& group) {
    const auto refused = refused_.extract(group);
    if (!refused) return;
    waiting_.activate(std::vector<uint64_t>(refused.mapped().begin(), refused.mapped().end()));
  }
  // Pods of the group that wait, but for this one.
  std::vector<uint64_t> waiting(const Group& group, uint64_t pod) const {
    std::vector<uint64_t> pods;
    const auto known = pods_.find(group);
    if (known == pods_.end()) return pods;
    for (const sdk::WaitingPods::Waiting& one : waiting_.all())
      if (one.pod != pod && std::count(known->second.begin(), known->second.end(), one.pod) != 0)
        pods.push_back(one.pod);
    return pods;
  }

  sdk::WaitingPods waiting_;
  int64_t members_ = 1;
  int64_t wait_ = 0;
  std::map<Group, std::vector<uint64_t>> pods_;  // that this plugin made wait, by handle
  std::map<Group, std::set<uint64_t>> refused_;  // since a pod of the group began to wait
};

template <class Point>
class OfGroup : public Point {
 public:
  explicit OfGroup(Groups& groups) : groups_(groups) {}

 protected:
  using Call = typename Point::Call;
  bool grouped(const Call& call, size_t i) const { return call[label_][i] != 0; }
  Groups::Group group(const Call& call, size_t i) const {
    return {call[namespace_][i], call[label_][i]};
  }
  uint64_t pod(const Call& call, size_t i) const { return call[handle_][i]; }
  size_t count(const Call& call) const { return call[handle_].size(); }

  Groups& groups_;

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> namespace_{*this, "pod.namespace"};
  sdk::Input<uint32_t> label_{*this, "pod.label:example.com/group"};
};

class GroupReserve final : public OfGroup<sdk::Reserve> {
 public:
  using OfGroup::OfGroup;
  void reserve(const Call&, std::span<uint8_t> codes, std::span<uint32_t>) const override {
    std::fill(codes.begin(), codes.end(), uint8_t{BERTH_SUCCESS});
  }
  void unreserve(const Call& call) const noexcept override {
    for (size_t i = 0; i < count(call); ++i)
      if (grouped(call, i)) groups_.fail(group(call, i), pod(call, i));
  }
};

class GroupPermit final : public OfGroup<sdk::Permit> {
 public:
  using OfGroup::OfGroup;
  void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>,
              std::span<int64_t> timeouts) const override {
    for (size_t i = 0; i < codes.size(); ++i) {
      const bool goes_on = !grouped(call, i) || groups_.complete(group(call, i), pod(call, i));
      codes[i] = goes_on ? BERTH_SUCCESS : BERTH_WAIT;
      timeouts[i] = groups_.wait();
    }
  }
};

class GroupHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override {
    if (kind == BERTH_ON_POD_ASSIGNED) return BERTH_DID_DELETE;
    return kind == BERTH_ON_NODE ? BERTH_DID_ANYTHING & ~BERTH_DID_DELETE : 0;
  }
  bool hint(const Call&, const sdk::Event&) const override { return true; }
};

class Coscheduling : public sdk::Plugin {
 public:
  Coscheduling() { add(reserve_, permit_, hints_); }

  static void validate(const sdk::Config& config) {
    config["members"].integer(1, 1, INT64_MAX);
    config["waitSeconds"].integer(60, 1, BERTH_PERMIT_MAX_SECONDS);
  }
  void init(sdk::Host host, const sdk::Config& config) override {
    groups_.start(host, config["members"].integer(1), config["waitSeconds"].integer(60));
  }

 private:
  Groups groups_;
  GroupReserve reserve_{groups_};
  GroupPermit permit_{groups_};
  GroupHints hints_;
};

BERTH_SDK_PLUGIN(Coscheduling, "com.example.coscheduling", "Coscheduling",
                 BERTH_RESERVE " " BERTH_PERMIT " " BERTH_HINTS);
