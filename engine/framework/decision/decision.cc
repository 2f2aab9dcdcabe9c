#include "engine/framework/decision/decision.h"

#include <algorithm>

#include "berth/abi/base.h"
#include "engine/base/text/joined.h"
#include "engine/model/cluster/cluster.h"

namespace berth::framework {

void Refusers::add(const std::string& plugin, uint8_t code) {
  if (plugin.empty()) return;
  std::vector<std::string>& names = code == BERTH_PENDING ? pending : plugins;
  const auto at = std::lower_bound(names.begin(), names.end(), plugin);
  if (at == names.end() || *at != plugin) names.insert(at, plugin);
}

std::string PostFilterResult::joined_texts() const { return joined(texts, ", ", &Text::text); }

void Decision::begin(uint32_t start) {
  outcome = Outcome::kError;
  row = model::kNoRow;
  evaluated = feasible = 0;
  next_start = start;
  draw = 0;
  hint = 0;
  message.clear();
  pre_filter.reset();
  reasons.clear();
  refused_by.clear();
  scored = false;
  nominating = Nominating::kKeep;
  post_filter.reset();
}

std::string Decision::event() const {
  const std::string added = post_filter ? post_filter->joined_texts() : std::string();
  return added.empty() ? message : message + " " + added;
}

bool from_batch(const model::Cluster& cluster, const Decision& decision) {
  if (decision.hint == 0 || decision.outcome != Outcome::kScheduled) return false;
  const model::NodeTable& nodes = cluster.nodes();
  return nodes.node(nodes.slot_of(decision.row)).name == decision.hint;
}

}  // namespace berth::framework
