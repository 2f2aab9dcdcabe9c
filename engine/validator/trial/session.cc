#include "engine/validator/trial/session.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/host/instance/text.h"
#include "engine/model/cluster/pod_name.h"
#include "engine/model/objects/names.h"

namespace berth::validator {

std::shared_ptr<const host::Library> load(const Subject& subject) {
  try {
    return subject.apart != nullptr ? subject.apart->load(subject.file)
                                    : host::Library::load(subject.file);
  } catch (const Error& failure) {
    throw Conviction(failure.message());
  }
}

bool reported(const host::CallError& error) {
  if (!error) return false;
  if (error.kind() != host::CallError::Kind::kReported) throw Conviction(error.text());
  return true;
}

Session::Session(const Subject& subject) : Session(subject, load(subject)) {}

Session::Session(const Subject& subject, std::shared_ptr<const host::Library> library)
    : seed_(subject.seed), library_(std::move(library)) {
  try {
    instance_ =
        std::make_unique<host::Instance>(library_, environment(hooks_), calls_, subject.arguments);
  } catch (const Error& failure) {
    throw Conviction(failure.message());
  }
  words_ = vocabulary_of(*instance_);
  cluster_.set_rules(rules());
  cluster_.set_annotations(&annotations_);
  cluster_.pin_columns();
  bind_hooks();
  if (subject.given != nullptr) take(put_given(*subject.given, cluster_));
  fill();
}

// Hooks release their states before the instance ends.
Session::~Session() { profile_.reset(); }

void Session::bind_hooks() {
  framework::ProfilePlan plan;
  plan.scheduler_name = model::kDefaultSchedulerName;
  for (const Point point : library_->points())
    if (!point_info(point).key.empty())
      plan.plugins[point].push_back({library_->name(), point == Point::kScore ? 1 : 0});
  const framework::PluginHooks hooks = framework::PluginHooks::of(*instance_);
  profile_ = std::make_unique<framework::Profile>(std::move(plan), std::span(&hooks, 1), cluster_);
}

void Session::take(GivenPods given) {
  placed_ = std::move(given.placed);
  for (const model::PodId pod : given.waiting) wait(pod);
}

void Session::wait(model::PodId pod) {
  pods_.push_back(pod);
  cluster_.set_queue_time(pod, pods_.size(), pods_.size());
}

// A pod of a file may have the name of one that is made up.
model::PodId Session::add(model::Pod pod) {
  while (cluster_.pods().contains(cluster_.find_pod(pod.namespace_name, pod.name)))
    pod.name += "-made-up";
  return cluster_.add_pod(pod);
}

void Session::fill() {
  Draws draws(seed_);
  for (const char* name : {"default", "team"}) cluster_.put_namespace({name, {{"name", name}}});
  for (uint32_t i = 0; i < kNodes; ++i) cluster_.put_node(random_node(draws, words_, i));
  for (const model::VolumeObject& object : random_storage(draws, kNodes))
    cluster_.volumes().put(object);
  for (uint32_t i = 0; i < kPlaced; ++i) place(draws);
  const size_t given = pods_.size();
  model::Pod pod;
  for (uint32_t i = 0; i < kWaiting; ++i) {
    const uint32_t number = made_pods_++;
    pod = i % 2 == 0 ? random_pod(draws, words_, number, kNodes)
                     : random_twin(draws, words_, number, pod);
    pods_.push_back(add(pod));
    cluster_.set_queue_time(pods_.back(), given + number + 1, given + number + 1);
  }
  cluster_.order_rows();
}

void Session::place(Draws& draws) {
  const model::PodId id = add(random_pod(draws, words_, made_pods_++, kNodes));
  cluster_.place(id, node_name(static_cast<uint32_t>(draws.below(kNodes))));
  placed_.push_back(id);
}

void Session::change(Draws& draws) {
  for (int64_t i = draws.between(1, 6); i > 0; --i) {
    const auto number = static_cast<uint32_t>(draws.below(kNodes));
    if (draws.percent(15)) {
      const std::vector<model::VolumeObject> storage = random_storage(draws, kNodes);
      cluster_.volumes().put(storage[draws.below(storage.size())]);
    } else if (draws.percent(40)) {
      cluster_.put_node(random_node(draws, words_, number));
    } else if (draws.percent(10)) {
      cluster_.remove_node(node_name(number));
    } else if (!placed_.empty() && draws.percent(50)) {
      std::swap(placed_[draws.below(placed_.size())], placed_.back());
      cluster_.remove_pod(placed_.back());
      placed_.pop_back();
    } else {
      place(draws);
    }
  }
  cluster_.order_rows();
}

std::string Session::pod_name(model::PodId id) const {
  return '"' + model::full_name(cluster_, id) + '"';
}

std::string Session::node_name_at(model::Row row) const {
  return '"' + std::string(cluster_.node_name(row)) + '"';
}

}  // namespace berth::validator
