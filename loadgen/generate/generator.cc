#include "loadgen/generate/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/model/objects/pod_requests.h"

namespace berth::loadgen {
namespace {

constexpr uint64_t kObjectsPerStep = 1024;
constexpr size_t kEventsPerStep = 4096;

}  // namespace

Generator::Generator(WorkloadSpec spec, uint64_t seed,
                     const std::map<std::string, std::string>& parameters)
    : spec_(std::move(spec)),
      seed_(seed),
      parameters_(parameters),
      nodes_(spec_.cluster, seed),
      templates_(spec_, seed),
      claims_(spec_, seed) {
  index_namespaces();
  make_owners();
  times_.reserve(spec_.arrivals.size());
  for (uint32_t i = 0; i < spec_.arrivals.size(); ++i) {
    times_.emplace_back(spec_.arrivals[i], seed, i);
    pods_left_.push_back(spec_.arrivals[i].pods);
  }
}

std::string Generator::note() const {
  std::string text = fmt::format("berth-loadgen workload={} seed={}", spec_.name, seed_);
  for (const auto& [name, value] : parameters_) text += fmt::format(" {}={}", name, value);
  if (!spec_.drains.empty() || !spec_.failures.empty())
    text += " (a stream does not carry evictions: pods stay on nodes that are drained)";
  return text;
}

void Generator::index_namespaces() {
  for (const NamespaceSpec& space : spec_.namespaces) {
    first_namespace_.push_back(static_cast<uint32_t>(namespaces_.size()));
    for (uint64_t i = 0; i < space.count; ++i)
      namespaces_.push_back(space.count == 1 ? space.name : fmt::format("{}-{}", space.name, i));
  }
}

void Generator::make_owners() {
  for (uint32_t i = 0; i < spec_.owners.size(); ++i) {
    for (uint32_t number = 0; number < spec_.owners[i].count; ++number) {
      if (spec_.owners[i].kind == OwnerKind::kDaemonSet) {
        daemon_sets_.push_back(static_cast<uint32_t>(owners_.size()));
        owners_.push_back({.spec = i, .number = number, .living = {}});
        daemon_specs_.push_back(own_spec(daemon_sets_.back()));
      } else {
        owners_.push_back({.spec = i, .number = number, .living = {}});
      }
    }
  }
}

// Plans the first occurrence of every recurring change.
void Generator::begin_time() {
  // Changes before the first pods have the same `measured` as those pods.
  int64_t first = kNever;
  for (uint32_t i = 0; i < times_.size(); ++i) {
    if (times_[i].next() >= first) continue;
    first = times_[i].next();
    measured_ = spec_.arrivals[i].measured;
  }
  for (uint32_t i = 0; i < owners_.size(); ++i) {
    const std::optional<ScaleSpec>& scale = spec_.owners[owners_[i].spec].scale;
    if (scale) plan(scale->every.draw(drawn(seed_, For::kScaleGap, i, 0)), What::kScale, i, 0);
  }
  for (const What what :
       {What::kFail, What::kDrain, What::kNodeLabel, What::kNamespaceCome, What::kNamespaceLabel})
    for (uint32_t i = 0; i < churn_of(what).size(); ++i) plan_next(what, churn_of(what)[i], i);
}

bool Generator::next(LoadStep& step) {
  step.clear();
  if (phase_ != Phase::kOver && phase_ != Phase::kTimed && setup(step)) return true;
  if (phase_ == Phase::kTimed && timed(step)) return true;
  phase_ = Phase::kOver;
  return false;
}

// Fills the step with the next part of the initial cluster; false when the phases of the scene are
// over.
bool Generator::setup(LoadStep& step) {
  using Fill = bool (Generator::*)(LoadStep&);
  constexpr Fill kFills[] = {&Generator::setup_namespaces, &Generator::setup_selector_owners,
                             &Generator::setup_storage,    &Generator::setup_nodes,
                             &Generator::setup_placed,     &Generator::setup_owners};
  while (phase_ != Phase::kTimed) {
    if ((this->*kFills[static_cast<size_t>(phase_)])(step)) return true;
    phase_ = static_cast<Phase>(static_cast<int>(phase_) + 1);
    cursor_ = 0;
  }
  begin_time();
  return false;
}

bool Generator::setup_namespaces(LoadStep& step) {
  for (; cursor_ < namespaces_.size() && step.cluster.size() < kObjectsPerStep; ++cursor_)
    step.cluster.push_back(model::added(namespace_object(cursor_)));
  return !step.cluster.empty();
}

bool Generator::setup_selector_owners(LoadStep& step) {
  for (; cursor_ < owners_.size() && step.cluster.size() < kObjectsPerStep; ++cursor_) {
    const OwnerSpec& owner = spec_.owners[owners_[cursor_].spec];
    const model::PodSpec& spec = spec_.templates[owner.pod_template].spec;
    const OwnerIdentity who = identity(static_cast<uint32_t>(cursor_));
    for (model::SelectorOwner& selector_owner : selector_owners_of(who, spec, owner.service))
      step.cluster.push_back(model::added(std::move(selector_owner)));
  }
  return !step.cluster.empty();
}

bool Generator::setup_nodes(LoadStep& step) {
  const uint64_t end = std::min(nodes_.count(), cursor_ + kObjectsPerStep);
  if (spec_.storage)
    for (uint64_t i = cursor_; i < end; ++i)
      step.cluster.push_back(model::added(claims_.csi_node(NodeMaker::name(i))));
  for (; cursor_ < end; ++cursor_) step.cluster.push_back(model::added(nodes_.make(cursor_)));
  return !step.cluster.empty();
}

bool Generator::setup_placed(LoadStep& step) {
  if (spec_.placed.empty()) return false;
  const uint64_t before = placed_;
  for (; cursor_ < nodes_.count() && placed_ - before < kPodsPerStep; ++cursor_)
    place_on(nodes_.make(cursor_), cursor_, step);
  return placed_ != before;
}

void Generator::place_claims(uint32_t pod_template, uint64_t node, ingest::TemplatePod& pod,
                             LoadStep& step) const {
  for (uint32_t i = 0; i < spec_.templates[pod_template].claims->each; ++i)
    pod.claims.push_back(PodClaims::name(pod.name, i));
  for (model::VolumeObject& object : claims_.make(pod_template, pod.namespace_name, pod.name, node))
    step.cluster.push_back(model::added(std::move(object)));
}

// Adds as many pods as were drawn, or as many as fit on the node.
void Generator::place_on(const model::Node& node, uint64_t number, LoadStep& step) {
  std::map<std::string, model::Quantity> used;
  const auto fits = [&](const model::ResourceList& requests) {
    std::map<std::string, model::Quantity> sum = used;
    for (const auto& [resource, amount] : requests) sum[resource] += amount;
    sum["pods"] += model::Quantity::from_units(1);
    for (const auto& [resource, amount] : sum) {
      const auto has =
          std::ranges::find(node.allocatable, resource, &model::ResourceList::value_type::first);
      if (!amount.zero() && (has == node.allocatable.end() || has->second < amount)) return false;
    }
    used = std::move(sum);
    return true;
  };
  for (uint32_t i = 0; i < spec_.placed.size(); ++i) {
    const PlacedSpec& placed = spec_.placed[i];
    const int64_t wanted = placed.per_node.draw(drawn(seed_, For::kPlaced, i, number));
    for (int64_t n = 0; n < wanted; ++n) {
      const uint64_t bits = drawn(seed_, For::kTemplate, i, placed_ | uint64_t{1} << 63);
      const uint32_t chosen = placed.templates.choose(bits);
      const uint32_t variant = templates_.variant(chosen, mix(bits));
      ingest::TemplatePod pod;
      pod.name = fmt::format("{}-placed-{:07}", spec_.templates[chosen].name, placed_);
      const bool claims = claims_.has(chosen, pod.name);
      pod.spec = templates_.spec(chosen, variant, claims);
      if (!fits(model::pod_requests(*pod.spec).requests)) break;
      ++placed_;
      pod.template_id = templates_.id(chosen, variant, claims, step);
      pod.namespace_name = namespaces_[namespace_of(spec_.templates[chosen].namespaces, bits)];
      if (claims) place_claims(chosen, number, pod, step);
      pod.node_name = node.name;
      pod.phase = model::PodPhase::kRunning;
      step.cluster.push_back(model::added(std::move(pod)));
    }
  }
}

// Creates the initial pods of owners.
bool Generator::setup_owners(LoadStep& step) {
  begin_pods(step);
  while (run_tasks(step) && cursor_ < owners_.size()) {
    const auto owner = static_cast<uint32_t>(cursor_++);
    const OwnerSpec& spec = spec_.owners[owners_[owner].spec];
    Task task{.measured = spec.measured, .of = owner};
    if (spec.kind == OwnerKind::kDaemonSet) {
      task.kind = TaskKind::kDaemonSet;
      task.to = nodes_.count();
    } else {
      task.to = static_cast<uint64_t>(spec.replicas.draw(drawn(seed_, For::kReplicas, owner, 0)));
    }
    tasks_.push_back(task);
  }
  return pods_.size() != 0;
}

int64_t Generator::at_tick_end(int64_t time) const {
  if (time >= kNever - spec_.tick) return kNever;
  return (time + spec_.tick - 1) / spec_.tick * spec_.tick;
}

int64_t Generator::next_event() const {
  const int64_t ending = ending_ticks_.empty() ? kNever : ending_ticks_.front();
  const int64_t planned = planned_.empty() ? kNever : planned_.front().at;
  return std::min(ending, at_tick_end(planned));
}

// True if the load ends here. Without a duration it ends with the last arrival of the kinds that
// end by themselves.
bool Generator::over() const {
  if (!tasks_.empty() || spec_.duration != kNever) return false;
  for (uint32_t i = 0; i < times_.size(); ++i)
    if (spec_.arrivals[i].bounded() && pods_left_[i] != 0 && times_[i].next() != kNever)
      return false;
  return true;
}

// True if the next planned change needs pods that unfinished tasks still have to create.
bool Generator::waits_for_tasks() const {
  if (tasks_.empty() || planned_.empty()) return false;
  const Planned& next = planned_.front();
  if (next.what == What::kFail) return true;
  return next.what == What::kScale && std::ranges::any_of(tasks_, [&](const Task& task) {
           return task.kind == TaskKind::kReplicas && task.of == next.of;
         });
}

bool Generator::timed(LoadStep& step) {
  begin_pods(step);
  step.measured = measured_;
  for (;;) {
    if (over()) return false;
    if (tasks_.empty()) {
      int64_t arrival = kNever;
      for (uint32_t i = 0; i < times_.size(); ++i)
        if (pods_left_[i] != 0) arrival = std::min(arrival, times_[i].next());
      const int64_t event = next_event();
      if (std::min(arrival, event) > spec_.duration || std::min(arrival, event) == kNever)
        return false;
      now_ = std::max(now_, std::min(event, arrival / spec_.tick * spec_.tick));
      latest_ = std::max(latest_, now_);
    }
    step.at = Nanoseconds(latest_);
    while (step.events.size() < kEventsPerStep && next_event() <= now_ && !waits_for_tasks())
      happen(step);
    if (step.events.size() < kEventsPerStep && run_tasks(step) && next_event() > now_)
      run_arrivals(step);
    if (pods_.size() != 0 && step.events.empty() && step.drained.empty())
      step.at = step.planned.front();
    if (pods_.size() == 0) step.measured = measured_;
    measured_ = step.measured;
    // Skip ticks in which no planned change had an effect.
    if (!step.is_scene()) return true;
  }
}

}  // namespace berth::loadgen
