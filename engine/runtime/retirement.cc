#include "engine/runtime/retirement.h"

#include <algorithm>

#include "engine/runtime/scheduling/decisions.h"
#include "engine/runtime/second_opinion.h"

namespace berth::runtime {

using Retired = model::Cluster::Retired;

Retirement::Retirement(model::Cluster& cluster, binding::Binder& binder, const Profiles& profiles,
                       Decisions& decisions, SecondOpinion* opinion, bool always)
    : cluster_(cluster),
      binder_(binder),
      profiles_(profiles),
      decisions_(decisions),
      opinion_(opinion),
      always_(always),
      shapes_stay_(cluster.counts().count() != 0 || cluster.terms().count() != 0) {}

bool Retirement::shapes_are_due() const {
  constexpr size_t kFewestShapes = 1 << 14;
  constexpr size_t kFewestNodes = 1 << 10;
  constexpr size_t kFewestCells = 1 << 22;  // a cell takes 8 to 24 bytes
  if (shapes_stay_) return false;
  const size_t cells = cluster_.unused_cells();
  const size_t shapes = cluster_.unused(Retired::kAll);
  return always_ || cells > std::max(kFewestCells, cluster_.cells() / 2) ||
         shapes > std::max(kFewestShapes, 2 * cluster_.pods().size()) ||
         cluster_.removed_nodes() > std::max<size_t>(kFewestNodes, cluster_.nodes().rows());
}

void Retirement::collect() {
  constexpr size_t kFewestNames = 1 << 16;
  if (shapes_are_due()) {
    binder_.wait();  // a batch holds ids, and the thread reads texts
    for (const auto& profile : profiles_)
      profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states(); });
    decisions_.forget_states();
    if (opinion_ != nullptr) opinion_->forget_states();
    cluster_.collect(Retired::kAll);
  } else if (cluster_.unused(Retired::kNames) > std::max(kFewestNames, cluster_.pods().size())) {
    binder_.wait();
    for (const auto& profile : profiles_)
      profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states_of_pods(); });
    if (opinion_ != nullptr) opinion_->forget_states_of_pods();
    cluster_.collect(Retired::kNames);
  }
}

}  // namespace berth::runtime
