#include "tests/simulation/world/script.h"

#include <algorithm>

#include "tests/properties/random_relations.h"

namespace berth::simulation {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace

void Script::begin() {
  storage_.begin();
  for (uint32_t i = 0; i < rates_.nodes; ++i) put_node(nodes_++);
  if (dice_.chance(60))
    for (int i = 0; i < 2; ++i) server_.put_namespace(tests::random_namespace(dice_));
  if (dice_.chance(40))
    for (int i = 0; i < 2; ++i) server_.put_budget(draw_budget(dice_));
  server_.deliver_all();
}

void Script::put_node(uint32_t number) {
  const model::Node node = draw_node(dice_, number);
  server_.put_node(node);
  storage_.node_came(node.name);
}

model::Pod Script::new_pod() {
  constexpr size_t kMostKinds = 6;
  if (kinds_.empty() || (kinds_.size() < kMostKinds && dice_.chance(50)))
    kinds_.push_back(draw_pod(dice_, rates_));
  model::Pod pod = dice_.chance(80) ? dice_.one_of(kinds_) : draw_pod(dice_, rates_);
  pod.name = "pod-" + std::to_string(pods_++);
  pod.uid = "uid-" + std::to_string(uids_++);
  storage_.equip(pod);
  return pod;
}

// A pod of the server; empty: it has none.
std::string Script::some_pod() {
  const auto& pods = server_.pods();
  if (pods.empty()) return {};
  return std::next(pods.begin(), dice_.number(0, static_cast<int64_t>(pods.size()) - 1))->first;
}

std::string Script::some_node() {
  return "node-" + std::to_string(dice_.number(0, std::max<int64_t>(nodes_, 1) - 1));
}

void Script::act() {
  if (const std::string change = storage_.change(); !change.empty()) note_(change);
  if (dice_.chance(rates_.clock_jumps)) return jump();
  const int64_t what = dice_.number(0, 99);
  if (what < 25) return create();
  if (what < 60) return decide();
  if (what < 66) return remove();
  if (what < 72) return update();
  if (what < 80) return change_node();
  if (what < 84) return between();
  if (what < 88) return settle();
  if (what < 92) return answer_waiting();
  if (what < 96) return bind_elsewhere();
  if (what < 98) return recreate();
  change_relations();
}

void Script::jump() {
  const int64_t far = dice_.chance(10) ? 700'000 : dice_.chance(50) ? 40'000 : 1'500;
  note_("the clock jumps");
  marks_.hit(Mark::kClockJump);
  core_->advance_to(core_->now() + milliseconds(dice_.number(0, far)));
}

void Script::create() {
  for (int64_t i = dice_.number(1, 4); i > 0 && pods_ < rates_.most_pods; --i) {
    const model::Pod pod = new_pod();
    note_("create " + pod.name);
    server_.put_pod(pod);
  }
}

void Script::decide() {
  for (int64_t i = dice_.number(1, 6); i > 0 && core_->step(); --i)
    core_->advance_to(core_->now() + milliseconds(dice_.number(0, 30)));
}

void Script::settle() {
  if (dice_.chance(40)) core_->publish();
  note_("settle");
  core_->settle();
}

void Script::remove() {
  const std::string name = some_pod();
  if (name.empty()) return;
  const model::PodId id = server_.known(name);
  if (id && dice_.chance(50)) {
    const seconds grace(dice_.number(0, 30));
    note_("delete " + name);
    server_.terminates(name, core_->now() + grace, false);
    api_->delete_pod(id, core_->now() + grace);
    return;
  }
  note_("remove " + name);
  server_.remove_pod(name, server_.pods().at(name).object.bound() && dice_.chance(50));
}

void Script::update() {
  const std::string name = some_pod();
  if (name.empty()) return;
  model::Pod pod = server_.pods().at(name).object;
  if (dice_.chance(50)) pod.spec.scheduling_gates.clear();
  if (dice_.chance(50)) pod.spec.labels[0].second = dice_.one_of<const char*>({"web", "db"});
  if (dice_.chance(40) && !pod.spec.containers[0].requests.empty())
    pod.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(100)}};
  if (dice_.chance(20) && !pod.bound())
    pod.spec.tolerations.push_back({"dedicated", "Exists", "", ""});
  note_("update " + name);
  server_.put_pod(pod);
}

void Script::change_node() {
  const std::string name = some_node();
  if (dice_.chance(25)) {
    note_("remove " + name);
    return server_.remove_node(name);
  }
  const bool fresh = dice_.chance(40) || nodes_ == 0;
  const uint32_t number =
      fresh ? nodes_++ : static_cast<uint32_t>(std::stoul(name.substr(sizeof("node-") - 1)));
  note_("put node-" + std::to_string(number));
  put_node(number);
}

// Something happens between the moment a pod is popped and its attempt.
void Script::between() {
  const auto popped = core_->pop();
  if (!popped) return;
  change_node();
  if (dice_.chance(50)) remove();
  server_.deliver_some();
  const bool there = core_->cluster().pods().contains(*popped) &&
                     core_->cluster().pod(*popped).state == model::PodState::kInFlight;
  if (!there) return;
  marks_.hit(Mark::kChangeBetween);
  core_->attempt(*popped);
}

void Script::answer_waiting() {
  const auto waiting = core_->scheduler().bindings().permits().pods();
  if (waiting.empty()) return;
  const model::PodId pod = dice_.one_of(waiting);
  if (dice_.chance(60)) {
    core_->door().allow(pod, "Chaos");
  } else {
    core_->door().reject(pod, "Chaos", "changed its mind");
  }
}

void Script::bind_elsewhere() {
  const std::string name = some_pod();
  if (name.empty() || !dice_.chance(rates_.other_schedulers)) return;
  if (server_.pods().at(name).object.bound()) return;
  const std::string node = some_node();
  note_("another scheduler binds " + name + " to " + node);
  marks_.hit(Mark::kOtherScheduler);
  server_.bind_elsewhere(name, node);
}

void Script::recreate() {
  const std::string name = some_pod();
  if (name.empty()) return;
  model::Pod pod = draw_pod(dice_, rates_);
  pod.name = name;
  pod.namespace_name = server_.pods().at(name).object.namespace_name;
  pod.uid = "uid-" + std::to_string(uids_++);
  storage_.equip(pod);
  note_("recreate " + name);
  if (dice_.chance(50)) server_.remove_pod(name, false);
  server_.replace_pod(pod);
}

void Script::change_relations() {
  if (dice_.chance(40)) return server_.put_namespace(tests::random_namespace(dice_));
  if (dice_.chance(50)) {
    const model::DisruptionBudget budget = draw_budget(dice_);
    return dice_.chance(25) ? server_.remove_budget(budget) : server_.put_budget(budget);
  }
  model::SelectorOwner owner = tests::random_selector_owner(dice_);
  make_valid(owner.selector);
  server_.put_selector_owner(owner);
}

}  // namespace berth::simulation
