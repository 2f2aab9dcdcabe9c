#pragma once

// Places pods where their volumes are, or can be made (kube-scheduler v1.34.1,
// plugins/volumebinding).

#include <string>
#include <unordered_map>
#include <vector>

#include "berth/sdk/sdk.hpp"
#include "berth/sdk/services/volumes.hpp"

namespace berth::plugins {

// A node selector of a volume, class or capacity; 0: any node.
struct NodeRule {
  uint32_t selector = 0;
  sdk::Slot<uint8_t> column{};  // its match column, in a filter's calls
};

// The demands of a pod's claims on a node. `prepare` reads it from the volumes service once.
struct ClaimRules {
  struct Bound {
    bool exists = false;  // the volume
    NodeRule rule;
  };
  struct Candidate {  // a volume that suits the claim, if its node does
    uint32_t name = 0;
    int64_t storage = 0;
    bool reserved = false;  // for this claim
    NodeRule rule;
  };
  struct Capacity {  // published by a driver, enough for the claim
    int64_t bytes = 0;
    NodeRule rule;
  };
  struct Delayed {  // a claim that waits for its pod's node
    uint64_t key = 0;
    uint32_t storage_class = 0;
    int64_t storage = 0;
    uint32_t selected_node = 0;  // 0: none
    std::vector<Candidate> candidates;
    bool provisioned = false;  // the class makes volumes
    NodeRule topology;
    bool counts_capacity = false;
    std::vector<Capacity> capacities;  // the largest first
  };
  std::vector<Bound> bound;
  std::vector<Delayed> delayed;  // in the order of the pod
  std::string refusal;           // the pod is refused with this text
  std::string error;
};

// Storage of one class on a node that one claim takes, in bytes.
struct StorageUse {
  uint32_t storage_class = 0;
  int64_t requested = 0;
  int64_t capacity = 0;
  bool shared = false;  // by all claims of the class: the volume has to be made
};

// The volumes that a node gives a pod.
struct NodeVolumes {
  struct Binding {
    uint32_t volume = 0;
    uint64_t claim = 0;
  };
  uint32_t reasons = 0;  // bits of kReasons; 0: the node suits
  std::vector<Binding> bindings;
  std::vector<uint64_t> provisions;  // claims
};

inline constexpr uint32_t kNodeConflict = 1, kBindConflict = 2, kNotEnoughSpace = 4, kNoVolume = 8;

// The columns of a pod that the hooks read, and what its claims ask.
class ClaimInputs {
 public:
  explicit ClaimInputs(sdk::Declaration& of) : of_(of) {}
  void init(sdk::Host host);
  ClaimRules read(const sdk::Template& pod) const {
    return read(pod.one(claims_), pod.one(owners_), pod.one(names_));
  }
  // The same for one position of a call with several pods.
  ClaimRules read_at(const sdk::Columns& pods, size_t position) const {
    return read(pods[claims_][position], pods[owners_][position], pods[names_][position]);
  }
  // The volumes that the node of that name gives a pod with these rules.
  NodeVolumes volumes_on(const ClaimRules& rules, uint32_t node) const;
  const sdk::Volumes& volumes() const { return volumes_; }
  std::string_view text(uint32_t id) const { return strings_.text(id); }

 private:
  ClaimRules read(std::span<const uint64_t> claims, std::span<const uint32_t> owners,
                  std::span<const uint32_t> names) const;
  // The text of a refusal; empty: none.
  std::string check(uint64_t key, uint32_t owner, uint32_t owner_name) const;
  void add_delayed(const berth_claim& claim, const berth_storage_class& of,
                   ClaimRules& rules) const;
  void add_candidates(const berth_claim& claim, ClaimRules::Delayed& delayed) const;
  void add_provision(const berth_claim& claim, const berth_storage_class& of,
                     ClaimRules::Delayed& delayed) const;

  sdk::Declaration& of_;
  sdk::Volumes volumes_;
  sdk::Strings strings_;
  uint32_t no_provisioner_ = 0;
  sdk::ListInput<uint64_t> claims_{of_, "pod.claims"};
  sdk::ListInput<uint32_t> owners_{of_, "pod.claim_owners"};
  sdk::ListInput<uint32_t> names_{of_, "pod.claim_owner_names"};
  sdk::Input<int64_t> version_{of_, "pod.volumes_version"};
};

// The columns of a node that the rules read.
class NodeInputs {
 public:
  explicit NodeInputs(sdk::Declaration& of) : of_(of) {}
  void init(sdk::Host host) { selectors_ = sdk::Selectors(host); }
  // Finds the match columns of the rules.
  void prepare(sdk::Preparation& prepared, ClaimRules& rules) const;
  NodeVolumes volumes_of(const sdk::Columns& call, const ClaimRules& rules, size_t position) const;
  // The volumes that a node with room for the pod has for its claims; if there is none, what is
  // left of the capacities in which volumes are made. In the order in which claims choose.
  std::vector<StorageUse> uses_of(const sdk::Columns& call, const ClaimRules& rules,
                                  size_t position) const;

 private:
  sdk::Declaration& of_;
  sdk::Selectors selectors_;
  sdk::Input<uint32_t> node_{of_, "node.name"};
  sdk::Family matches_{of_, "node.matches:*"};
};

// Refuses pods with claims that are missing, lost, going, or should be bound already; skips pods
// without claims.
class BindingPreFilter final : public sdk::PreFilter<ClaimRules> {
 public:
  void init(sdk::Host host) override { inputs_.init(host); }
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, ClaimRules& state) override;
  void pre_filter(const Call& call, sdk::PreFilterResult& result) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  ClaimInputs inputs_{*this};
};

class BindingFilter final : public sdk::Filter<ClaimRules> {
 public:
  void init(sdk::Host host) override;
  void prepare(const sdk::Template& pod, sdk::Preparation& prepared, ClaimRules& state) override;
  void filter(const Call& call, std::span<uint8_t> verdicts) const override;
  void reasons(const Call& call, std::span<uint32_t> reasons) const override;
  void describe(const Call& call, uint32_t reason, const sdk::TextSink& sink) const override;

 private:
  static void filter_bound(const Call& call, std::span<uint8_t> verdicts);

  ClaimInputs inputs_{*this};
  NodeInputs nodes_{*this};
};

}  // namespace berth::plugins
