#pragma once

// The spread constraints of one pod: its own, or without any the defaults, which select the pods
// that share the pod's services and controller.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "plugins/pod_topology_spread/args.h"

namespace berth::plugins {

struct Constraint {
  uint32_t key = 0;  // string id
  int64_t max_skew = 0;
  int64_t min_domains = 1;
  uint32_t term = 0;  // the pods to spread
  bool self = false;  // the term matches the pod itself
  bool selects_all =
      false;  // the selector is empty: kube-scheduler then counts only pods of an overlay
  bool honours_affinity = true;
  bool honours_taints = false;
};

struct PodConstraints {
  std::vector<Constraint> all;  // those of the requested action, in order
  bool own = false;             // the pod has constraints, of either action
  std::string problem;          // a selector's error; empty: none
};

// Reads constraints from the pod columns of a hook; a member of the hook.
class ConstraintReader {
 public:
  ConstraintReader(sdk::Declaration& hook, const SpreadArgs& args);
  // [init]
  void init(sdk::Host host);

  // [cycle] The hard constraints, or the soft ones.
  PodConstraints read(const sdk::Template& pod, bool hard) const;

  // The nodes that take part in counting for a constraint, as ascending column ids, if nodes must
  // have `keys`.
  std::vector<uint32_t> participants(const sdk::Template& pod, const Constraint& constraint,
                                     std::span<const uint32_t> keys) const;

  // The handle of the pod's tolerations.
  const sdk::Input<uint32_t>& tolerations() const { return tolerations_; }

  // A string id, and the column id of a member of a family of node columns.
  uint32_t hostname() const { return hostname_; }
  uint32_t column(std::string_view family, uint32_t key) const;

 private:
  struct Default {
    Constraint constraint;  // without a term
    bool hard;
  };

  const SpreadArgs& args_;
  sdk::Strings strings_;
  sdk::Selectors selectors_;
  sdk::ColumnIds columns_;
  uint32_t hard_ = 0, soft_ = 0, honour_ = 0, hostname_ = 0;
  std::vector<Default> defaults_;

  sdk::ListInput<uint32_t> keys_, when_, terms_, problems_, affinity_policies_, taints_policies_;
  sdk::ListInput<int64_t> max_skew_, min_domains_;
  sdk::ListInput<uint8_t> self_, selects_all_;
  sdk::Input<uint32_t> siblings_;
  sdk::Input<uint8_t> siblings_self_;
  sdk::Input<uint32_t> node_selector_, affinity_, tolerations_;
};

// The nodes that take part in counting for the constraints of one pod. Constraints with the same
// policies have the same nodes, because a node that lacks the key of one constraint takes part for
// none; so they share one list, whose length grows with the number of constraints.
class Participants {
 public:
  // `need_keys`: nodes must have the keys of all constraints. References the arguments.
  Participants(const ConstraintReader& reader, const sdk::Template& pod,
               const std::vector<Constraint>& all, bool need_keys);

  // Ascending column ids.
  const std::vector<uint32_t>& of(const Constraint& constraint);

 private:
  const ConstraintReader& reader_;
  const sdk::Template& pod_;
  std::vector<uint32_t> keys_;
  std::array<std::optional<std::vector<uint32_t>>, 4> by_policies_;
};

}  // namespace berth::plugins
