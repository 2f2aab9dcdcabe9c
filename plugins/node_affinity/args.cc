#include "plugins/node_affinity/args.h"

#include "berth/sdk/services/node_selectors.hpp"

namespace berth::plugins {
namespace {

bool is_empty_term(const sdk::Config& term) {
  return term["matchExpressions"].elements().empty() && term["matchFields"].elements().empty();
}

// Calls required(selector) and preferred(weight, term) for the affinity that `config` adds.
template <class Required, class Preferred>
void walk(const sdk::Config& config, Required&& required, Preferred&& preferred) {
  config.type_meta("NodeAffinityArgs");
  const sdk::Config added = config["addedAffinity"];
  if (!added.object()) return;
  const sdk::Config selector = added["requiredDuringSchedulingIgnoredDuringExecution"];
  if (selector.object()) required(selector);
  for (const sdk::Config& item :
       added["preferredDuringSchedulingIgnoredDuringExecution"].elements()) {
    if (!item.object()) continue;
    const int64_t weight = item["weight"].integer(0, INT32_MIN, INT32_MAX);
    preferred(weight, item["preference"]);
  }
}

}  // namespace

void check_affinity_args(const sdk::Config& config) {
  // kube-scheduler does not look at a term that has no weight.
  walk(config, sdk::check_node_selector, [](int64_t weight, const sdk::Config& term) {
    if (weight == 0) return term.accept();
    sdk::check_node_selector_term(term);
  });
}

AffinityArgs read_affinity_args(const sdk::Config& config, const sdk::Selectors& selectors) {
  AffinityArgs args;
  walk(
      config,
      [&](const sdk::Config& selector) {
        args.added_required = selectors.node_selector(selector.raw(), selector.node());
      },
      [&](int64_t weight, const sdk::Config& term) {
        args.adds_preferred = true;
        if (weight == 0 || !term.present() || is_empty_term(term)) return;
        const uint32_t handle = selectors.node_selector_term(term.raw(), term.node());
        if (handle != 0) args.added_preferred.push_back({handle, weight});
      });
  return args;
}

}  // namespace berth::plugins
