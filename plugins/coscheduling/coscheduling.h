#pragma once

// Groups of pods that are bound together or not at all. No default plugin: a configuration enables
// it, best in multiPoint.
//
// Pods of one namespace with the same value of the label scheduling.x-k8s.io/pod-group are a group.
// Permit holds a pod until so many pods of its group have nodes, and then lets all of them go on.
// If one of them fails before that, or its time is over, Unreserve refuses the others. They are
// tried again when a pod leaves a node, when a node comes or changes, when their labels change, and
// when another pod of their group waits.
//
// The plugin of that name in sigs.k8s.io/scheduler-plugins does the same for its pod groups. Equal
// are the label, the argument permitWaitingTimeSeconds with its default, and what Permit and
// Unreserve do. It differs in this:
//
// - There are no PodGroup objects. The size of a group (their spec.minMember) is the value of the
//   label pod-group.scheduling.x-k8s.io/min-available of the pod, as in the first version of that
//   plugin, or else the argument minMember. Without either the pod is refused, as it is there
//   without its PodGroup. If pods of a group give different sizes, the size of the pod that is
//   tried counts.
// - Pods that are bound do not count: a pod that comes later waits for a group of its own. There,
//   it goes on at once if enough pods of the group are bound.
// - There is no PreFilter: pods of a group that has too few pods keep nodes until their time is
//   over. No PostFilter and no backoff of groups either: podGroupRejectPercentage and
//   podGroupBackoffSeconds are errors. And no order of the queue by groups.
// - A pod waits for 15 minutes at most, as the host's Permit does.

#include <string_view>

#include "plugins/coscheduling/args.h"
#include "plugins/coscheduling/groups.h"

namespace berth::plugins {

// The pods of a call, and their groups.
template <class Point>
class OfGroup : public Point {
 public:
  explicit OfGroup(Groups& groups) : groups_(groups) {}
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }

 protected:
  using Call = typename Point::Call;
  bool grouped(const Call& call, size_t i) const { return !strings_.text(call[name_][i]).empty(); }
  Groups::Group group(const Call& call, size_t i) const {
    return {std::string(strings_.text(call[namespace_][i])),
            std::string(strings_.text(call[name_][i]))};
  }
  uint64_t pod(const Call& call, size_t i) const { return call[handle_][i]; }
  size_t count(const Call& call) const { return call[handle_].size(); }

  Groups& groups_;
  sdk::Strings strings_;

 private:
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> namespace_{*this, "pod.namespace"};
  sdk::Input<uint32_t> name_{*this, "pod.label:scheduling.x-k8s.io/pod-group"};
};

// Reserves nothing.
class GroupReserve final : public OfGroup<sdk::Reserve> {
 public:
  using OfGroup::OfGroup;
  void reserve(const Call& call, std::span<uint8_t> codes, std::span<uint32_t>) const override;
  void unreserve(const Call& call) const noexcept override;
};

class GroupPermit final : public OfGroup<sdk::Permit> {
 public:
  using OfGroup::OfGroup;
  void start(const CoschedulingArgs& args) { args_ = args; }
  void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t> reasons,
              std::span<int64_t> timeouts) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  // The size of the pod's group; 0, and the reason, if none is given or the label is wrong.
  int64_t min_member(const Call& call, size_t i, uint32_t& reason) const;

  CoschedulingArgs args_;
  sdk::Input<uint32_t> size_{*this, "pod.label:pod-group.scheduling.x-k8s.io/min-available"};
};

class GroupHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call&, const sdk::Event&) const override { return true; }
};

class Coscheduling final : public sdk::Plugin {
 public:
  Coscheduling() { add(reserve_, permit_, hints_); }

  static void validate(const sdk::Config& config) { read_coscheduling_args(config); }
  void init(sdk::Host host, const sdk::Config& config) override {
    groups_.start(host);
    permit_.start(read_coscheduling_args(config));
  }

 private:
  Groups groups_;
  GroupReserve reserve_{groups_};
  GroupPermit permit_{groups_};
  GroupHints hints_;
};

}  // namespace berth::plugins
