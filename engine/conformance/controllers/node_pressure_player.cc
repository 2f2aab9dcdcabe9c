#include "engine/conformance/controllers/node_pressure_player.h"

#include <algorithm>
#include <map>
#include <string>

#include "engine/base/error.h"
#include "engine/base/text/go_duration.h"
#include "engine/conformance/case_objects.h"
#include "engine/conformance/controllers/kubelet_objects.h"
#include "engine/controllers/kubelet/eviction/eviction_manager.h"

namespace berth::conformance {

namespace kubelet = controllers::kubelet;
using document::Value;

namespace {

model::StringMap setting_texts(Value config, std::string_view field) {
  model::StringMap texts;
  for (const document::Member member : config.find(field).members())
    texts.emplace_back(std::string(member.key), std::string(member.value.text()));
  std::ranges::sort(texts);
  return texts;
}

kubelet::EvictionSettings settings_of(Value config) {
  kubelet::ThresholdSettings thresholds;
  thresholds.hard = setting_texts(config, "evictionHard");
  thresholds.soft = setting_texts(config, "evictionSoft");
  thresholds.soft_grace = setting_texts(config, "evictionSoftGracePeriod");
  thresholds.minimum_reclaim = setting_texts(config, "evictionMinimumReclaim");
  const Value enforced = config.find("enforceNodeAllocatable");
  thresholds.enforce_pods =
      !enforced.present() ||
      std::ranges::any_of(enforced.elements(), [](Value one) { return one.text() == "pods"; });
  kubelet::EvictionSettings settings;
  settings.thresholds = kubelet::parse_thresholds(thresholds);
  settings.most_grace_seconds = integer_at(config, "evictionMaxPodGracePeriod").value_or(0);
  const Value transition = config.find("evictionPressureTransitionPeriod");
  if (!transition.present()) return settings;
  const std::optional<int64_t> period = parse_duration(transition.text());
  if (!period) throw Error(transition.place(), "expected a duration");
  settings.transition = Time(*period);
  return settings;
}

kubelet::Filesystems filesystems_of(Value config) {
  const Value name = config.find("filesystems");
  if (name.text() == "single") return kubelet::Filesystems::kSingle;
  if (name.text() == "imagefs") return kubelet::Filesystems::kImages;
  if (name.text() == "split") return kubelet::Filesystems::kSplit;
  throw Error(config.place(), "expected single, imagefs or split as filesystems");
}

int64_t figure_at(Value object, std::string_view field) {
  return integer_at(object, field).value_or(0);
}

kubelet::FilesystemSize filesystem_size(Value object) {
  return {figure_at(object, "capacity"), figure_at(object, "inodes")};
}

kubelet::MachineSize machine_size(Value node) {
  return {figure_at(node, "memoryCapacity"), figure_at(node, "memoryAllocatable"),
          filesystem_size(node.find("nodefs")), filesystem_size(node.find("imagefs")),
          figure_at(node, "maxPID")};
}

void read_system(Value object, kubelet::SystemUsage& system) {
  const auto put = [&](std::string_view field, int64_t& figure) {
    figure = integer_at(object, field).value_or(figure);
  };
  put("memory", system.memory);
  put("nodefsUsed", system.node.bytes);
  put("nodefsInodesUsed", system.node.inodes);
  put("imagefsUsed", system.images.bytes);
  put("imagefsInodesUsed", system.images.inodes);
  put("processes", system.processes);
}

kubelet::DiskUse disk_use_at(Value object) {
  return {figure_at(object, "bytes"), figure_at(object, "inodes")};
}

Time stop_duration(Value object, std::string_view field) {
  return object.find(field).present() ? seconds_at(object, field) : Time{};
}

class NodePressurePlayer final : public Player, private kubelet::EvictionActions {
 public:
  NodePressurePlayer(Value config, Entries& entries)
      : entries_(entries),
        machine_(filesystems_of(config), machine_size(config.find("node"))),
        manager_(settings_of(config), machine_, *this) {
    read_system(config.find("system"), machine_.system());
    machine_.garbage(kubelet::Reclaim::kUnusedImages) = disk_use_at(config.find("unusedImages"));
    machine_.garbage(kubelet::Reclaim::kDeadContainers) =
        disk_use_at(config.find("deadContainers"));
  }

  void add(Value object) override {
    kubelet::Pod pod = kubelet_pod(object);
    const std::string name = pod.namespace_name + "/" + pod.name;
    const kubelet::StopTimes times{stop_duration(object, "stopSeconds"),
                                   stop_duration(object, "cleanupSeconds")};
    numbers_[name] = machine_.add(std::move(pod), times, pod_usage(object));
  }
  void start() override { manager_.start(Time{}); }
  bool operate(Time now, const std::string& op, Value event) override {
    if (op == "admit") {
      admit(now, event.find("object"));
      return true;
    }
    if (!change(op, event)) return false;
    manager_.figures_changed(now);
    return true;
  }
  void settle(Time) override {}
  std::optional<Time> next() const override { return manager_.next(); }
  void run_due(Time now) override { manager_.run_due(now); }

 private:
  bool change(const std::string& op, Value event) {
    if (op == "create") {
      add(event.find("object"));
    } else if (op == "delete") {
      remove(text_of(event, "pod"));
    } else if (op == "usage") {
      set_usage(event);
    } else if (op == "system") {
      read_system(event.find("system"), machine_.system());
    } else if (op == "unused-images") {
      machine_.garbage(kubelet::Reclaim::kUnusedImages) = disk_use_at(event);
    } else if (op == "dead-containers") {
      machine_.garbage(kubelet::Reclaim::kDeadContainers) = disk_use_at(event);
    } else if (op == "freeze-stats") {
      const Value on = event.find("on");
      machine_.freeze(on.is(document::Kind::kBoolean) && on.as_bool());
    } else {
      return false;
    }
    return true;
  }
  void remove(const std::string& name) {
    const auto at = numbers_.find(name);
    if (at == numbers_.end()) return;
    machine_.remove(at->second);
    numbers_.erase(at);
  }
  void set_usage(Value event) {
    const auto at = numbers_.find(text_of(event, "pod"));
    if (at != numbers_.end()) machine_.set_usage(at->second, pod_usage(event));
  }
  void admit(Time now, Value object) {
    const kubelet::Pod pod = kubelet_pod(object);
    const std::optional<kubelet::Refusal> refusal = manager_.refusal_of(pod);
    entries_.add(now, "admit", [&](document::JsonWriter& writer) {
      writer.member("pod", pod.namespace_name + "/" + pod.name);
      writer.member("admit", !refusal);
      if (!refusal) return;
      writer.member("reason", refusal->reason);
      writer.member("message", refusal->message);
    });
  }

  void set_pressures(Time now, const std::vector<kubelet::Pressure>& pressures) override {
    entries_.add(now, "conditions", [&](document::JsonWriter& writer) {
      writer.array("conditions", pressures,
                   [&](kubelet::Pressure one) { writer.text(name_of(one)); });
    });
  }
  void warn_of_node(Time now, const std::string& message) override {
    entries_.add(now, "event", [&](document::JsonWriter& writer) {
      writer.member("object", "Node/n1");
      writer.member("reason", "EvictionThresholdMet");
      writer.member("message", message);
    });
  }
  void reclaimed(Time now, kubelet::Reclaim what) override {
    entries_.add(now, "reclaim", [&](document::JsonWriter& writer) {
      writer.member("what",
                    what == kubelet::Reclaim::kUnusedImages ? "unused-images" : "dead-containers");
    });
  }
  void evict(Time now, const kubelet::Eviction& eviction) override {
    const kubelet::Pod& pod = machine_.pod(eviction.pod);
    entries_.add(now, "evict", [&](document::JsonWriter& writer) {
      writer.member("pod", pod.namespace_name + "/" + pod.name);
      writer.member("gracePeriodSeconds", eviction.grace_seconds);
      writer.member("phase", "Failed");
      writer.member("reason", kubelet::kEvicted);
      writer.member("message", eviction.text.message);
      if (eviction.condition) write_condition(writer, *eviction.condition);
      writer.object("eventAnnotations", [&] {
        for (const auto& [name, text] : eviction.text.annotations) writer.member(name, text);
      });
    });
  }

  Entries& entries_;
  kubelet::Machine machine_;
  kubelet::EvictionManager manager_;
  std::map<std::string, kubelet::PodNumber> numbers_;  // by NAMESPACE/NAME
};

}  // namespace

std::unique_ptr<Player> make_node_pressure_player(Value config, Entries& entries) {
  return std::make_unique<NodePressurePlayer>(config, entries);
}

}  // namespace berth::conformance
