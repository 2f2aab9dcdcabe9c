#include "engine/conformance/controllers/nodes/node_lifecycle_player.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/nodes/case_values.h"
#include "engine/conformance/controllers/nodes/played_nodes.h"

namespace berth::conformance {
namespace {

using controllers::Condition;
using document::JsonWriter;
using document::Value;

constexpr Time kSampling = std::chrono::seconds(1);
constexpr Time kSample = std::chrono::milliseconds(580);  // into each second

// Plays the timeline and writes down, once a second, what has changed.
class NodeLifecyclePlayer final : public Player {
 public:
  NodeLifecyclePlayer(bool counts_taints, Entries& entries)
      : counts_taints_(counts_taints), entries_(entries) {}

  void add(Value object) override { nodes_.create({}, object); }
  void start() override {}
  bool operate(Time now, const std::string& op, Value event) override;
  void settle(Time now) override { plan_sample(now); }
  std::optional<Time> next() const override;
  void run_due(Time now) override;

 private:
  using Texts = std::map<std::string, std::string>;
  using Members = std::function<void(JsonWriter&)>;

  void plan_sample(Time now);
  void sample(Time second);
  void sample_node(Time second, const PlayedNode& node);
  void sample_pod(Time second, const std::string& name, const std::string& ready);
  // Adds an entry if `text` is not what was written last of this object.
  void write(Time second, const std::string& type, const std::string& key, const std::string& name,
             const std::string& text, const Members& members);
  void count_taints(Time second);

  const bool counts_taints_;
  Entries& entries_;
  PlayedNodes nodes_;
  std::optional<Time> sample_;
  std::map<std::string, Texts> written_;  // by type and name
};

bool operate_on(PlayedNodes& nodes, Time now, const std::string& op, const std::string& node,
                Value event) {
  if (op == "kubelet-down") {
    nodes.stop_kubelet(now, node);
  } else if (op == "kubelet-up") {
    nodes.start_kubelet(now, node);
  } else if (op == "set-condition") {
    nodes.set_condition(now, node, text_of(event, "type"), text_of(event, "status"));
  } else if (op == "cordon" || op == "uncordon") {
    nodes.cordon(now, node, op == "cordon");
  } else if (op == "set-taints") {
    nodes.replace_taints(now, node, taints_of(event.find("taints")));
  } else if (op == "delete-node") {
    nodes.erase(now, node);
  } else {
    return false;
  }
  return true;
}

bool NodeLifecyclePlayer::operate(Time now, const std::string& op, Value event) {
  if (op == "create") {
    nodes_.create(now, event.find("object"));
    return true;
  }
  const std::vector<std::string> names = nodes_of(event);
  return !names.empty() && std::ranges::all_of(names, [&](const std::string& node) {
    return operate_on(nodes_, now, op, node, event);
  });
}

std::optional<Time> NodeLifecyclePlayer::next() const {
  const std::optional<Time> time = nodes_.next();
  return sample_ && (!time || *sample_ < *time) ? sample_ : time;
}

void NodeLifecyclePlayer::run_due(Time now) {
  if (sample_ && *sample_ <= now) {
    sample(*sample_ - kSample);
    sample_.reset();
  }
  const std::optional<Time> due = nodes_.next();
  if (due && *due <= now) nodes_.run_due(now);
  plan_sample(now);
}

void NodeLifecyclePlayer::plan_sample(Time now) {
  if (!sample_ && nodes_.take_changed()) sample_ = controllers::first_from(now, kSampling, kSample);
}

void NodeLifecyclePlayer::write(Time second, const std::string& type, const std::string& key,
                                const std::string& name, const std::string& text,
                                const Members& members) {
  std::string& last = written_[type][name];
  if (last == text) return;
  last = text;
  entries_.add(second, type, [&](JsonWriter& writer) {
    writer.member(key, name);
    members(writer);
  });
}

void NodeLifecyclePlayer::sample(Time second) {
  for (const auto& [name, node] : nodes_.nodes()) sample_node(second, node);
  if (counts_taints_) count_taints(second);
  for (const auto& [name, pod] : nodes_.pods()) sample_pod(second, name, pod.ready);
  nodes_.zones().states([&](const std::string& name, controllers::ZoneState state) {
    const std::string_view text = controllers::zone_state_name(state);
    write(second, "zone", "zone", name, std::string(text == "Normal" ? "" : text),
          [&](JsonWriter& writer) { writer.member("state", text); });
  });
}

// Pods are ready unless something was written of them.
void NodeLifecyclePlayer::sample_pod(Time second, const std::string& name,
                                     const std::string& ready) {
  if (ready == "False" || written_["pod-ready"].contains(name))
    write(second, "pod-ready", "pod", name, ready,
          [&](JsonWriter& writer) { writer.member("ready", ready); });
}

void NodeLifecyclePlayer::sample_node(Time second, const PlayedNode& node) {
  const std::string& name = node.object.name;
  std::vector<std::string> taints;
  for (const model::Taint& taint : node.object.taints)
    taints.push_back(taint.key + ":" + taint.effect);
  std::ranges::sort(taints);
  std::string text;
  for (const std::string& taint : taints) text += taint + " ";
  if (!counts_taints_)
    write(second, "taints", "node", name, text,
          [&](JsonWriter& writer) { writer.texts("taints", taints); });

  text.clear();
  std::vector<Condition> set;
  for (const Condition& condition : node.object.conditions) {
    if (!condition.reason.starts_with("NodeStatus")) continue;
    set.push_back(condition);
    text += condition.type + " " + condition.status + " " + condition.reason + " ";
  }
  write(second, "conditions", "node", name, text, [&](JsonWriter& writer) {
    writer.object("setByController", [&] {
      for (const Condition& condition : set)
        writer.member(condition.type, condition.status + " " + condition.reason);
    });
  });
}

void NodeLifecyclePlayer::count_taints(Time second) {
  std::map<std::string, uint64_t> counts;
  for (const auto& [zone, text] : written_["no-execute-count"]) counts[zone] = 0;
  for (const auto& [name, node] : nodes_.nodes()) {
    counts[node.object.zone] += std::ranges::any_of(
        node.object.taints, [](const model::Taint& taint) { return taint.effect == "NoExecute"; });
  }
  for (const auto& [zone, nodes] : counts) {
    const uint64_t count = nodes;
    write(second, "no-execute-count", "zone", zone, count == 0 ? "" : std::to_string(count),
          [&](JsonWriter& writer) { writer.member("count", count); });
  }
}

}  // namespace

std::unique_ptr<Player> node_lifecycle_player(Value config, Entries& entries) {
  const Value by_chance = config.find("namesByChance");
  return std::make_unique<NodeLifecyclePlayer>(
      by_chance.is(document::Kind::kBoolean) && by_chance.as_bool(), entries);
}

}  // namespace berth::conformance
