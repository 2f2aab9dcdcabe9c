#include "tests/simulation/report_text.h"

#include "engine/events/event.h"

namespace berth::simulation {
namespace {

std::string numbers(const framework::Decision& decision) {
  return " evaluated=" + std::to_string(decision.evaluated) +
         " feasible=" + std::to_string(decision.feasible) +
         " next=" + std::to_string(decision.next_start) + " draw=" + std::to_string(decision.draw);
}

std::string about(const runtime::Report& report) {
  using namespace runtime;
  return std::visit(
      Match{
          [](const Arrived& all) { return "arrive: " + std::to_string(all.pods.size()); },
          [](const TurnedAway&) { return std::string("is not work"); },
          [](const Ignored& by) { return "is ignored: " + by.message; },
          [](const Gated& by) { return "is gated by " + by.plugin; },
          [](const Scheduled& to) {
            return "scheduled on " + std::string(to.node) + numbers(*to.decision);
          },
          [](const Chosen&) { return std::string("has a node, if plugins let it"); },
          [](const Skipped&) { return std::string("is skipped"); },
          [](const PermitWaiting& at) { return "waits in Permit on " + std::string(at.node); },
          [](const Announced& at) { return "announced on " + std::string(at.node); },
          [](const Nominated& to) { return "nominated to \"" + std::string(to.node) + '"'; },
          [](const Evicted&) { return std::string("evicted"); },
          [](const Disrupted& by) { return "disrupted: " + std::string(by.reason); },
          [](const Finished& with) { return "ends with " + std::to_string(with.exit_code); },
          [](const Recorded& by) { return "event: " + by.event->note; },
          [](const PermitPreempted&) { return std::string("leaves Permit for another"); },
          [](const Deleted&) { return std::string("is gone"); },
          [](const Refused& by) {
            return "refused: " + by.decision->event() + numbers(*by.decision);
          },
          [](const Failed& by) {
            return "failed: " + by.decision->event() + numbers(*by.decision);
          },
          [](const Bound& to) { return "bound to " + std::string(to.node); },
          [](const BoundByAnother& to) { return "bound by another to " + std::string(to.node); },
          [](const BindingWaits& at) { return "waits in PreBind for " + std::string(at.plugin); },
          [](const BindingFailed& by) { return "not bound: " + std::string(by.message); },
          [](const BindingBegins& batch) { return "binding " + std::to_string(batch.pods); },
          [](const BindingEnds&) { return std::string("binding ends"); },
      },
      report);
}

}  // namespace

std::string text_of(const runtime::Report& report, const model::Cluster& cluster) {
  const model::PodId pod = runtime::pod_of(report);
  if (!pod) return about(report);
  return std::string(cluster.text(cluster.pod(pod).name)) + " " + about(report);
}

}  // namespace berth::simulation
