#pragma once

// Groups of pods that are bound together or not at all. No default plugin: a configuration enables
// it in multiPoint, and at queueSort in the place of PrioritySort (disabled: "*").
//
// Pods of one namespace with the same value of the label scheduling.x-k8s.io/pod-group are a group.
// Permit holds a pod until so many pods of its group have nodes, and then lets all of them go on.
// If one of them fails before that, or its time is over, Unreserve refuses the others. They are
// tried again when a pod leaves a node, when a node comes or changes, when their labels change, and
// when another pod of their group waits.
//
// A PodGroup (scheduling.x-k8s.io/v1alpha1) of that name gives the size, minMember, and how long a
// pod waits, scheduleTimeoutSeconds. Pods of it that are bound count: once it is complete, others
// go on at once. A pod that no node takes refuses those that wait, unless no more than
// podGroupRejectPercentage of the size is missing.
//
// Pods leave the queue by priority, by the time at which their PodGroup was created, or they
// themselves if they have none, and by PodGroup; an unknown time is the latest. Pods of one
// PodGroup, and others of equal rank, leave in the order of entry.
//
// The plugin of that name in sigs.k8s.io/scheduler-plugins does the same. It differs in this:
//
// - Without a PodGroup, the size is the value of the label
//   pod-group.scheduling.x-k8s.io/min-available of the pod, as in the first version of that plugin,
//   or else the argument minMember, and bound pods do not count. Without either the pod is refused,
//   as it is there without its PodGroup. If pods of a group give different sizes, the size of the
//   pod that is tried counts.
// - PodGroups that were created in the same second leave in the order in which they were added, not
//   by the names of pods. A group that failed keeps its place in the queue.
// - There is no PreFilter: pods of a group that has too few pods keep nodes until their time is
//   over. So minResources is not read, and podGroupBackoffSeconds has no effect; a message says so.
// - A PodGroup that comes after its pods were refused does not wake them.
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

class GroupSort final : public sdk::QueueSort {
 public:
  void keys(const Call& call, std::span<sdk::SortKey> keys) const override;

 private:
  static void put(uint8_t* out, int64_t value, int bytes);

  sdk::Input<int64_t> priority_{*this, "pod.priority"};
  sdk::Input<int64_t> created_at_{*this, "pod.created_at"};
  sdk::Input<int64_t> group_{*this, "pod.group"};
  sdk::Input<int64_t> group_created_at_{*this, "pod.group_created_at"};
};

class GroupPostFilter final : public sdk::PostFilter<> {
 public:
  explicit GroupPostFilter(Groups& groups) : groups_(groups) {}
  void init(sdk::Host host) override { strings_ = sdk::Strings(host); }
  void start(const CoschedulingArgs& args) { args_ = args; }
  void post_filter(const Call& call, std::span<const uint8_t> codes, uint64_t draw,
                   berth_nomination& nomination) const override;

 private:
  Groups& groups_;
  CoschedulingArgs args_;
  sdk::Strings strings_;
  sdk::Input<uint64_t> handle_{*this, "pod.handle"};
  sdk::Input<uint32_t> namespace_{*this, "pod.namespace"};
  sdk::Input<uint32_t> name_{*this, "pod.name"};
  sdk::Input<uint32_t> label_{*this, "pod.label:scheduling.x-k8s.io/pod-group"};
  sdk::Input<int64_t> number_{*this, "pod.group"};
  sdk::Input<int64_t> min_member_{*this, "pod.group_min_member"};
  sdk::Input<int64_t> placed_{*this, "pod.group_placed"};
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
  // The size of a group without a PodGroup; 0, and the reason, if none is given or the label is
  // wrong.
  int64_t min_member(const Call& call, size_t i, uint32_t& reason) const;

  CoschedulingArgs args_;
  sdk::Input<uint32_t> size_{*this, "pod.label:pod-group.scheduling.x-k8s.io/min-available"};
  sdk::Input<int64_t> number_{*this, "pod.group"};
  sdk::Input<int64_t> group_size_{*this, "pod.group_min_member"};
  sdk::Input<int64_t> timeout_{*this, "pod.group_timeout_seconds"};
  sdk::Input<int64_t> placed_{*this, "pod.group_placed"};
};

class GroupHints final : public sdk::Hints<> {
 public:
  uint32_t actions(uint32_t kind) const override;
  bool hint(const Call&, const sdk::Event&) const override { return true; }
};

class Coscheduling final : public sdk::Plugin {
 public:
  Coscheduling() { add(sort_, post_filter_, reserve_, permit_, hints_); }

  static void validate(const sdk::Config& config) { read_coscheduling_args(config); }
  void init(sdk::Host host, const sdk::Config& config) override {
    groups_.start(host);
    const CoschedulingArgs args = read_coscheduling_args(config);
    permit_.start(args);
    post_filter_.start(args);
    if (args.backoff_seconds != 0)
      sdk::Log(host).write(BERTH_LOG_WARNING,
                           "podGroupBackoffSeconds has no effect: groups do not back off here");
  }

 private:
  Groups groups_;
  GroupSort sort_;
  GroupPostFilter post_filter_{groups_};
  GroupReserve reserve_{groups_};
  GroupPermit permit_{groups_};
  GroupHints hints_;
};

}  // namespace berth::plugins
