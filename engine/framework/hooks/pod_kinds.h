#pragma once

// The kinds of pods of one profile. Pods are of one kind if they are equal in all that decides
// which states the hooks of a decision have for them (see bound_hook.h): their template, their
// terms about other pods, and the columns besides that some hook declares. So pods that differ in
// nothing but a label of their own, which no selector and no hook names, are of one kind, although
// each has a shape of its own.
//
// The kind of a shape is remembered: a decision about a known shape costs one look-up, and one
// about a new shape a look at the declared columns.

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/assert.h"
#include "engine/base/hash_of_numbers.h"
#include "engine/framework/hooks/id_pages.h"
#include "engine/framework/hooks/pod_kind.h"

namespace berth::framework {

// Belongs to the thread that owns the model.
class PodKinds {
 public:
  // The cluster outlives the table.
  explicit PodKinds(model::Cluster& cluster) : cluster_(cluster) {}

  // Adds a hook whose states a kind has. Precondition: of() was not called.
  void add(const BoundHook& hook);
  // Hooks of the profile: kinds have room for so many states. The same precondition.
  void set_hooks(size_t hooks) {
    BERTH_ASSERT(count() == 0);
    hooks_ = hooks;
  }

  // The kind of the pod. `forgotten`: a number that differs whenever states were dropped; all kinds
  // are then made anew. Valid until the next call.
  PodKind& of(const model::PodRecord& pod, uint64_t forgotten);

  size_t count() const { return kinds_.size(); }

 private:
  // More are made anew: some of them are of no use any more.
  static constexpr size_t kMost = 1 << 15;
  struct Known {
    uint64_t round = 0;
    uint64_t context = 0;  // of the model
    PodKind* kind = nullptr;
  };
  PodKind& find_or_make(const model::PodRecord& pod);
  void forget();

  model::Cluster& cluster_;
  size_t hooks_ = 0;
  std::vector<model::ColumnId> columns_;  // of the key, besides template and terms
  bool of_terms_ = false;                 // some hook declares terms about other pods
  bool of_shape_ = false;                 // some hook may ask for any column of a family
  uint64_t forgotten_ = 0;
  uint64_t round_ = 1;  // differs after kinds were dropped
  IdPages<Known> by_shape_;
  boost::unordered_flat_map<std::vector<uint64_t>, std::unique_ptr<PodKind>, HashOfNumbers> kinds_;
  std::vector<uint64_t> key_;
};

}  // namespace berth::framework
