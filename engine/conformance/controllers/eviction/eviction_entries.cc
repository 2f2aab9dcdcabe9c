#include "engine/conformance/controllers/eviction/eviction_entries.h"

#include <chrono>
#include <regex>

namespace berth::conformance {
namespace {

using controllers::ApiStatus;
using controllers::BudgetStatus;
using document::JsonWriter;

// Cases name neither versions nor pods that chance chooses.
std::string without_chance(const std::string& text) {
  static const std::regex version(R"(\([0-9]+\))");
  static const std::regex pod(R"re(found no controllers for pod "[^"]*")re");
  return std::regex_replace(std::regex_replace(text, version, "(N)"), pod,
                            R"(found no controllers for pod "*")");
}

std::string full(const EvictionCluster::Name& name) { return name.first + "/" + name.second; }

void write_second(JsonWriter& writer, std::string_view key, Time time) {
  writer.member(key, int64_t{std::chrono::floor<std::chrono::seconds>(time).count()});
}

void write_details(JsonWriter& writer, const ApiStatus& status) {
  const auto write_cause = [&](const ApiStatus::Cause& cause) {
    writer.object([&] {
      writer.member_if("message", without_chance(cause.message));
      writer.member_if("reason", cause.reason);
    });
  };
  writer.object("details", [&] {
    writer.array_if("causes", status.causes, write_cause);
    writer.member_if("group", status.group);
    writer.member_if("kind", status.kind);
    writer.member_if("name", status.name);
    if (status.retry_after_seconds != 0)
      writer.member("retryAfterSeconds", status.retry_after_seconds);
  });
}

void write_body(JsonWriter& writer, const ApiStatus& status) {
  writer.object("body", [&] {
    writer.member("code", status.code);
    write_details(writer, status);
    writer.member_if("message", without_chance(status.message));
    writer.member_if("reason", status.reason);
    writer.member("status", status.success() ? "Success" : "Failure");
  });
}

void write_condition(JsonWriter& writer, const controllers::DisruptionAllowed& condition) {
  writer.object("condition", [&] {
    write_second(writer, "lastTransitionAt", condition.transition);
    writer.member("message", condition.message);
    writer.member("observedGeneration", condition.observed_generation);
    writer.member("reason", condition.reason);
    writer.member("status", condition.allowed ? "True" : "False");
    writer.member("type", "DisruptionAllowed");
  });
}

void write_budget_status(JsonWriter& writer, const BudgetStatus& status) {
  writer.object("status", [&] {
    if (status.condition) write_condition(writer, *status.condition);
    writer.member("currentHealthy", status.current_healthy);
    writer.member("desiredHealthy", status.desired_healthy);
    writer.member("disruptionsAllowed", status.disruptions_allowed);
    writer.member("expectedPods", status.expected_pods);
    writer.member("observedGeneration", status.observed_generation);
    writer.object("disruptedPods", [&] {
      for (const auto& [pod, time] : status.disrupted_pods) write_second(writer, pod, time);
    });
  });
}

void write_pod_condition(JsonWriter& writer, const controllers::Condition& condition) {
  writer.object("condition", [&] {
    write_second(writer, "lastTransitionAt", condition.transition);
    writer.member("message", condition.message);
    writer.member("reason", condition.reason);
    writer.member("status", condition.status);
    writer.member("type", condition.type);
  });
}

}  // namespace

void EvictionEntries::response(Time now, const std::string& pod, const ApiStatus& status) {
  entries_.add(now, "response", [&](JsonWriter& writer) {
    writer.member("pod", pod);
    writer.member("code", status.code);
    write_body(writer, status);
  });
}

void EvictionEntries::look(Time second, EvictionCluster& cluster) {
  for (const Name& name : cluster.take_gone()) {
    pods_.erase(name);
    entries_.add(second, "gone", [&](JsonWriter& writer) { writer.member("pod", full(name)); });
  }
  for (const auto& [name, pod] : cluster.pods()) look_at(second, name, pod);
  std::erase_if(budgets_,
                [&](const auto& seen) { return cluster.find_budget(seen.first) == nullptr; });
  for (const auto& [name, budget] : cluster.budgets()) look_at(second, name, budget);
}

void EvictionEntries::look_at(Time second, const Name& name, const controllers::Budget& budget) {
  BudgetStatus status = budget.status;
  if (status.condition) status.condition->message = without_chance(status.condition->message);
  const auto [seen, first] = budgets_.try_emplace(name, status);
  if (!first && seen->second == status) return;
  seen->second = status;
  entries_.add(second, "pdb", [&](JsonWriter& writer) {
    writer.member("pdb", full(name));
    write_budget_status(writer, status);
  });
}

void EvictionEntries::look_at(Time second, const Name& name, const EvictionCluster::Pod& pod) {
  Seen now(pod.deletion, pod.disruption_target);
  Seen& seen = pods_[name];
  if (seen == now) return;
  seen = std::move(now);
  entries_.add(second, "pod", [&](JsonWriter& writer) {
    writer.member("pod", full(name));
    if (pod.deletion) {
      write_second(writer, "deletionAt", pod.deletion->at);
      writer.member("deletionGracePeriodSeconds", pod.deletion->grace_seconds);
    }
    if (pod.disruption_target) write_pod_condition(writer, *pod.disruption_target);
  });
}

}  // namespace berth::conformance
