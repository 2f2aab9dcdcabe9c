#include "engine/played/controllers/disruption/drains.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/base/error.h"
#include "engine/model/objects/string_map.h"

namespace berth::played {
namespace {

using controllers::Drain;
using controllers::DrainOptions;
using controllers::DrainPod;

constexpr std::string_view kDrain = "berth/drain";

// Null: the node is not to be drained.
const std::string* options_text(const model::Node& node) {
  return model::value_in(node.annotations, kDrain);
}

}  // namespace

std::optional<DrainOptions> Drains::read_options(const model::Node& node) {
  const std::string* const text = options_text(node);
  if (text == nullptr) return std::nullopt;
  DrainOptions options = controllers::parse_drain_options(*text);
  const auto selects = core().label_selectors().of(options.pod_selector);
  if (const std::string_view problem = core().label_selectors().problem(selects); !problem.empty())
    throw Error("--pod-selector: " + std::string(problem));
  return options;
}

// Of options that are wrong cordons() has told.
std::optional<DrainOptions> Drains::options_of(const model::Node& node) try {
  return read_options(node);
} catch (const Error&) {
  return std::nullopt;
}

bool Drains::cordons(const model::Node& node) { return read_options(node).has_value(); }

bool Drains::begins(const model::Node& node) {
  const std::optional<DrainOptions> options = options_of(node);
  if (!options) return false;
  const auto known = latest_.find(node.name);
  return known == latest_.end() || known->second->options() != *options;
}

void Drains::object_changed(model::Operation operation, const model::Object& object) {
  const auto* node = std::get_if<model::Node>(&object);
  if (node == nullptr || (latest_.empty() && due_.empty() && options_text(*node) == nullptr))
    return;
  std::optional<DrainOptions> options;
  if (operation != model::Operation::kDeleted) options = options_of(*node);
  if (options && !begins(*node)) return;
  stop(node->name);
  if (!options) return;
  wake();
  due_.insert_or_assign(node->name, *std::move(options));
}

void Drains::stop(const std::string& node) {
  due_.erase(node);
  const auto known = latest_.find(node);
  if (known == latest_.end()) return;
  known->second->stop(now());
  latest_.erase(known);
}

std::optional<Time> Drains::next() const {
  if (!due_.empty()) return now();
  std::optional<Time> first;
  for (std::list<Drain>::const_iterator drain = open_; drain != drains_.end(); ++drain)
    if (const auto time = drain->next(); time && (!first || *time < *first)) first = time;
  return first;
}

template <typename Visit>
void Drains::each_under_way(Visit visit) {
  while (open_ != drains_.end() && open_->over()) ++open_;
  for (auto drain = open_; drain != drains_.end(); ++drain)
    if (!drain->over()) visit(*drain);
}

void Drains::run_due() {
  begin_due();
  each_under_way([&](Drain& drain) {
    if (const auto time = drain.next(); !time || *time > now()) return;
    asking_ = drain.node();
    drain.run_due(now());
  });
}

void Drains::begin_due() {
  for (auto& [node, options] : std::exchange(due_, {})) begin(node, std::move(options));
}

void Drains::begin(const std::string& node, DrainOptions options) {
  std::vector<DrainPod> pods = pods_of(node, options.pod_selector);
  Drain& drain = drains_.emplace_back(node, std::move(options), std::move(pods),
                                      static_cast<DrainCluster&>(*this));
  if (open_ == drains_.end()) --open_;
  latest_.insert_or_assign(node, &drain);
  asking_ = node;
  drain.begin(now());
}

// By name, as the API server lists them.
std::vector<DrainPod> Drains::pods_of(const std::string& node,
                                      const model::LabelSelector& selector) {
  const model::LabelSelectors::Handle selects = core().label_selectors().of(selector);
  std::vector<DrainPod> pods;
  each_bound_pod(node, [&](const model::PodRecord& pod) {
    const model::PodTemplates& templates = cluster().templates();
    if (!core().label_selectors().matches(selects, templates.labels(pod.labels))) return;
    DrainPod one{.namespace_name = std::string(cluster().text(pod.namespace_name)),
                 .name = std::string(cluster().text(pod.name)),
                 .mirror = spec(pod).mirror,
                 .empty_dir = spec(pod).empty_dir};
    if (pod.controller != 0) {
      one.owner_api_version = templates.controller(pod.controller).api_version;
      one.owner_kind = templates.controller(pod.controller).kind;
    }
    pods.push_back(std::move(one));
  });
  std::ranges::sort(pods, {}, [](const DrainPod& pod) {
    return std::pair(std::string_view(pod.namespace_name), std::string_view(pod.name));
  });
  return pods;
}

void Drains::pod_ends(model::PodId id) {
  const model::PodRecord& pod = cluster().pod(id);
  each_under_way([&](Drain& drain) {
    drain.pod_gone(now(), cluster().text(pod.namespace_name), cluster().text(pod.name));
  });
}

controllers::ApiStatus Drains::evict(const DrainPod& pod, std::optional<int64_t> grace_seconds) {
  const model::EvictionRequest request{.name = pod.name,
                                       .namespace_name = pod.namespace_name,
                                       .grace_seconds = grace_seconds,
                                       .dry_run = false,
                                       .uid = {},
                                       .resource_version = {}};
  return answer_(request, "drain of node " + asking_);
}

void Drains::remove(const DrainPod& pod, std::optional<int64_t> grace_seconds) {
  if (const model::PodId id = find_pod(pod.full_name()))
    evictor_.delete_within(id, grace_seconds, {});
}

void Drains::say(const std::string& node, const std::string& line) {
  if (line_) line_(node, line);
}

}  // namespace berth::played
