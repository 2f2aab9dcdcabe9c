// Creation and end of pods.

#include <algorithm>

#include "loadgen/generate/generator.h"
#include "loadgen/generate/names.h"

namespace berth::loadgen {
namespace {

constexpr std::string_view kJobNameKeys[] = {"batch.kubernetes.io/job-name", "job-name"};

}  // namespace

uint32_t Generator::namespace_of(uint32_t namespaces, uint64_t bits) const {
  const uint64_t count = spec_.namespaces[namespaces].count;
  return first_namespace_[namespaces] + static_cast<uint32_t>(count == 1 ? 0 : below(bits, count));
}

std::string Generator::owner_name(const Owner& owner) const {
  const OwnerSpec& spec = spec_.owners[owner.spec];
  return numbered_name(spec.name, spec.count, owner.number);
}

OwnerIdentity Generator::identity(uint32_t owner) const {
  const Owner& of = owners_[owner];
  const OwnerSpec& spec = spec_.owners[of.spec];
  const uint64_t count = spec_.namespaces[spec.namespaces].count;
  OwnerIdentity identity;
  identity.kind = spec.kind;
  identity.name = owner_name(of);
  // Owners use the namespaces in turn, so that namespaces have about equal size.
  identity.namespace_name = namespaces_[first_namespace_[spec.namespaces] + of.number % count];
  if (spec.kind == OwnerKind::kDeployment)
    identity.hash = template_hash(drawn(seed_, For::kHash, owner, 0));
  return identity;
}

std::shared_ptr<model::PodSpec> Generator::own_spec(uint32_t owner) const {
  const uint32_t pod_template = spec_.owners[owners_[owner].spec].pod_template;
  const uint32_t variant =
      templates_.variant(pod_template, drawn(seed_, For::kVariant, owner, 1ull << 63));
  auto spec = std::make_shared<model::PodSpec>(
      *templates_.spec(pod_template, variant, owner_has_claims(owner)));
  make_own(identity(owner), *spec);
  return spec;
}

bool Generator::run_tasks(LoadStep& step) {
  while (!tasks_.empty()) {
    Task& task = tasks_.front();
    if (pods_.size() != 0 && step.measured != task.measured) return false;
    if (task.from < task.to) step.measured = task.measured;
    if (!run(task, step)) return false;
    tasks_.pop_front();
  }
  return true;
}

// False: the step is full and the task is not finished.
bool Generator::run(Task& task, LoadStep& step) {
  for (; task.from < task.to; ++task.from) {
    if (pods_.size() == kPodsPerStep) return false;
    switch (task.kind) {
      case TaskKind::kReplicas:
        add_owned(task.of, step);
        break;
      case TaskKind::kDaemonSet:
        add_daemon(task.of, task.from, step);
        break;
      case TaskKind::kDaemonsOfNode:
        add_daemon(static_cast<uint32_t>(task.from), task.number, step);
        break;
      case TaskKind::kJob:
        add_job_pod(task, step);
        break;
    }
  }
  return true;
}

void Generator::run_arrivals(LoadStep& step) {
  const int64_t end = now_ + spec_.tick;
  while (pods_.size() < kPodsPerStep && tasks_.empty()) {
    uint32_t first = 0;
    int64_t at = kNever;
    for (uint32_t i = 0; i < times_.size(); ++i) {
      if (pods_left_[i] == 0 || times_[i].next() >= at) continue;
      first = i;
      at = times_[i].next();
    }
    if (at >= end || at > spec_.duration) return;
    const ArrivalSpec& arrival = spec_.arrivals[first];
    const bool closed = arrival.kind == ArrivalKind::kClosedLoop;
    // A step has one value of `measured` and of `closed_loop`.
    if (pods_.size() != 0 && (closed || step.measured != arrival.measured)) return;
    step.measured = arrival.measured;
    latest_ = std::max(latest_, at);
    if (closed) return closed_loop(first, step);
    arrive(first, step);
  }
}

// All pods that are outstanding at the same time form one step.
void Generator::closed_loop(uint32_t arrival, LoadStep& step) {
  step.closed_loop = true;
  const uint64_t wanted = std::min(spec_.arrivals[arrival].outstanding, pods_left_[arrival]);
  for (uint64_t i = 0; i < wanted; ++i) add_single(arrival, latest_, step);
}

void Generator::arrive(uint32_t arrival, LoadStep& step) {
  if (spec_.arrivals[arrival].job_pods) {
    begin_job(arrival);
    run_tasks(step);
  } else {
    add_single(arrival, latest_, step);
  }
  times_[arrival].pop();
}

void Generator::add_single(uint32_t arrival, int64_t at, LoadStep& step) {
  const ArrivalSpec& spec = spec_.arrivals[arrival];
  const uint64_t number = singles_++;
  --pods_left_[arrival];
  // The template's draw is mixed again for the other choices, which saves two draws per pod.
  const uint64_t bits = drawn(seed_, For::kTemplate, arrival, number);
  const uint32_t chosen = spec.templates.choose(bits);
  const uint64_t more = mix(bits);
  const TemplateSpec& pod_template = spec_.templates[chosen];
  const uint32_t space = namespace_of(pod_template.namespaces, mix(more));
  Ending pod{.number = number, .of = chosen, .namespace_number = space};
  name_pod(pod, name_);
  const bool claims = claims_.has(chosen, name_);
  const uint32_t id = templates_.id(chosen, templates_.variant(chosen, more), claims, step);
  pods_.add(id, space, namespaces_[space], name_, Nanoseconds(at));
  if (claims) add_claims(chosen, space, false, step);
  if (spec.lifetime) end_later(pod, *spec.lifetime, number, arrival);
}

void Generator::begin_job(uint32_t arrival) {
  const ArrivalSpec& spec = spec_.arrivals[arrival];
  const uint64_t job = jobs_++;
  const uint64_t bits = drawn(seed_, For::kTemplate, arrival, job);
  const auto drawn_pods =
      static_cast<uint64_t>(spec.job_pods->draw(drawn(seed_, For::kJobPods, arrival, job)));
  Task task{.kind = TaskKind::kJob, .measured = spec.measured, .of = arrival, .number = job};
  task.to = std::min(drawn_pods, pods_left_[arrival]);
  pods_left_[arrival] -= task.to;
  task.pod_template = spec.templates.choose(bits);
  task.variant = templates_.variant(task.pod_template, mix(bits));
  task.namespace_number =
      namespace_of(spec_.templates[task.pod_template].namespaces, mix(mix(bits)));
  task.job = {"batch/v1", "Job", "", ""};
  name_job(task.pod_template, job, task.job.name);
  tasks_.push_back(std::move(task));
}

void Generator::add_job_pod(const Task& task, LoadStep& step) {
  Ending pod{.number = task.from,
             .job = task.number,
             .of = task.pod_template,
             .namespace_number = task.namespace_number,
             .kind = PodOf::kJob,
             .finishes = true};
  name_pod(pod, name_);
  const bool claims = claims_.has(task.pod_template, task.job.name);
  const uint32_t id = templates_.id(task.pod_template, task.variant, claims, step);
  pods_.add(id, task.namespace_number, namespaces_[task.namespace_number], name_,
            Nanoseconds(latest_));
  for (const std::string_view key : kJobNameKeys) pods_.label(key, task.job.name);
  pods_.controller(task.job);
  if (claims) add_claims(task.pod_template, task.namespace_number, false, step);
  if (const auto& lifetime = spec_.arrivals[task.of].lifetime)
    end_later(pod, *lifetime, task.number << 24 ^ task.from, task.of);
}

void Generator::add_owned(uint32_t owner, LoadStep& step) {
  Owner& of = owners_[owner];
  const OwnerSpec& spec = spec_.owners[of.spec];
  const OwnerIdentity who = identity(owner);
  if (of.template_id == UINT32_MAX) of.template_id = templates_.define(own_spec(owner), step);
  const bool stateful = spec.kind == OwnerKind::kStatefulSet;
  const uint32_t number = stateful ? static_cast<uint32_t>(of.living.size()) : of.next_pod++;
  const uint64_t count = spec_.namespaces[spec.namespaces].count;
  const auto space = static_cast<uint32_t>(first_namespace_[spec.namespaces] + of.number % count);
  Ending pod{.number = number,
             .of = owner,
             .namespace_number = space,
             .kind = PodOf::kOwner,
             .finishes = true};
  name_pod(pod, name_);
  pods_.add(of.template_id, space, namespaces_[space], name_, Nanoseconds(latest_));
  if (stateful) {
    pods_.label("apps.kubernetes.io/pod-index", std::to_string(number));
    pods_.label("statefulset.kubernetes.io/pod-name", name_);
  }
  pods_.controller(controller_of(who));
  if (owner_has_claims(owner)) {
    add_claims(spec.pod_template, space, stateful && number < of.claimed, step);
    of.claimed = std::max(of.claimed, number + 1);
  }
  if (spec.kind == OwnerKind::kJob) {
    if (spec.lifetime) end_later(pod, *spec.lifetime, uint64_t{1} << 63 | number, owner);
  } else {
    of.living.push_back(number);
  }
}

std::string Generator::daemon_name(uint32_t owner, uint64_t node) const {
  const auto state = node_states_.find(node);
  const uint64_t generation = state == node_states_.end() ? 0 : state->second.generation;
  std::string name = owner_name(owners_[owner]) + "-";
  append_suffix(node + generation * nodes_.count(), name);
  return name;
}

void Generator::add_daemon(uint32_t owner, uint64_t node, LoadStep& step) {
  const auto index =
      static_cast<size_t>(std::ranges::lower_bound(daemon_sets_, owner) - daemon_sets_.begin());
  if (index == daemon_sets_.size() || daemon_sets_[index] != owner) return;
  const model::PodSpec& spec = *daemon_specs_[index];
  if (!runs_on(spec, node_now(node))) return;
  std::vector<uint32_t>& ids = daemon_ids_[node];
  ids.resize(daemon_sets_.size(), UINT32_MAX);
  if (ids[index] == UINT32_MAX) {
    auto pinned = std::make_shared<model::PodSpec>(spec);
    pin_to_node(NodeMaker::name(node), *pinned);
    ids[index] = templates_.define(std::move(pinned), step);
  }
  const Owner& of = owners_[owner];
  const OwnerSpec& from = spec_.owners[of.spec];
  const auto space = static_cast<uint32_t>(first_namespace_[from.namespaces] +
                                           of.number % spec_.namespaces[from.namespaces].count);
  pods_.add(ids[index], space, namespaces_[space], daemon_name(owner, node), Nanoseconds(latest_));
  pods_.controller(controller_of(identity(owner)));
}

void Generator::name_job(uint32_t pod_template, uint64_t job, std::string& name) const {
  name = spec_.templates[pod_template].name;
  name += '-';
  append_number(job, kPodDigits, name);
}

void Generator::name_pod(const Ending& pod, std::string& name) const {
  switch (pod.kind) {
    case PodOf::kTemplate:
      name = spec_.templates[pod.of].name;
      name += '-';
      append_number(pod.number, kPodDigits, name);
      return;
    case PodOf::kJob:
      name_job(pod.of, pod.job, name);
      name += '-';
      append_suffix(pod.number, name);
      return;
    case PodOf::kOwner:
      name = controller_of(identity(pod.of)).name;
      name += '-';
      if (spec_.owners[owners_[pod.of].spec].kind == OwnerKind::kStatefulSet) {
        append_number(pod.number, 1, name);
      } else {
        append_suffix(pod.number, name);
      }
      return;
  }
}

void Generator::end_later(Ending pod, const Distribution& lifetime, uint64_t number, uint32_t of) {
  const int64_t time = lifetime.draw(drawn(seed_, For::kLifetime, of, number));
  const int64_t at = at_tick_end(std::min(kNever, latest_ + time));
  if (at == kNever) return;
  const auto [bucket, is_new] = endings_.try_emplace(at);
  bucket->second.push_back(pod);
  if (!is_new) return;
  ending_ticks_.push_back(at);
  std::push_heap(ending_ticks_.begin(), ending_ticks_.end(), std::greater<>());
}

void Generator::end_pod(LoadStep& step) {
  const auto first = endings_.find(ending_ticks_.front());
  const Ending pod = first->second[ended_++];
  if (ended_ == first->second.size()) {
    endings_.erase(first);
    std::pop_heap(ending_ticks_.begin(), ending_ticks_.end(), std::greater<>());
    ending_ticks_.pop_back();
    ended_ = 0;
  }
  name_pod(pod, name_);
  const std::string& space = namespaces_[pod.namespace_number];
  step.events.push_back(pod.finishes ? model::finished_pod(space, name_)
                                     : model::deleted_pod(space, name_));
  if (has_claims(pod)) end_claims(template_of(pod), space, step);
}

}  // namespace berth::loadgen
