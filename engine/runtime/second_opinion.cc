#include "engine/runtime/second_opinion.h"

#include <utility>

#include "engine/base/assert.h"
#include "engine/model/objects/names.h"
#include "engine/runtime/kept_objects.h"

namespace berth::runtime {
namespace {

host::Environment environment_of(host::Environment core, PluginServices& services, Rules rules) {
  return {.model = services.model,
          .bindings = core.bindings,
          .log = core.log,
          .hooks = services.hooks,
          .trials = &services.trials,
          .waiting = &services.permits,
          .cycle = &services.calls,
          .threads = 1,
          .moment = &services.moment,
          .metrics = &services.metrics,
          .external = &services.external,
          .rules = rules};
}

}  // namespace

SecondOpinion::SecondOpinion(OtherSettings settings, model::Cluster& cluster,
                             host::Environment environment)
    : settings_(std::move(settings)),
      cluster_(cluster),
      services_(cluster),
      waiting_(environment.waiting) {
  BERTH_ASSERT(settings_.plugins != nullptr);
  services_.moment.seed = settings_.decide.seed;
  services_.permits.now = &waiting_;
  const host::Environment own =
      environment_of(environment, services_, settings_.configuration.rules);
  assembly_ = assemble(settings_.configuration, *settings_.plugins, own, services_.calls, cluster_);
}

void SecondOpinion::begin(KeptObjects& objects, const host::Moment& moment,
                          const host::WatchdogOptions& deadlines) {
  moment_ = &moment;
  extenders_ = objects.extenders_of(settings_.configuration);
  framework::DecideOptions decide = settings_.decide;
  decide.extenders = extenders_.get();
  configure(decide, settings_.configuration);
  decide.watch = nullptr;
  decide.moment = &services_.moment;
  evaluator_ = std::make_unique<framework::BatchEvaluator>(cluster_, services_.calls,
                                                           framework::FullOptions{});
  decider_ = std::make_unique<framework::Decider>(
      cluster_, *evaluator_, services_.calls, decide,
      framework::PostFilterOptions{nullptr, &services_.trials});
  std::vector<host::CallContext*> calls = decider_->what_if_calls();
  calls.push_back(&services_.calls);
  watchdog_ = std::make_unique<host::Watchdog>(services_.hooks, std::move(calls), deadlines);
}

// An empty name is the default profile's, as an API server would have set it.
framework::Profile* SecondOpinion::profile_of(const model::PodRecord& pod) const {
  const model::PodTemplate& of = cluster_.templates()[pod.pod_template];
  const std::string_view name = of.spec.scheduler_name.empty()
                                    ? std::string_view(model::kDefaultSchedulerName)
                                    : std::string_view(of.spec.scheduler_name);
  for (const auto& profile : assembly_.profiles)
    if (profile->scheduler_name() == name) return profile.get();
  return nullptr;
}

const framework::Decision* SecondOpinion::decide(const framework::Request& request) {
  BERTH_ASSERT(decider_ != nullptr);
  framework::Profile* const profile = profile_of(*request.pod);
  if (profile == nullptr) return nullptr;
  services_.moment.now = moment_->now;
  framework::Request own = request;
  own.batch = nullptr;  // of the core's profiles
  own.keeps_scores = false;
  const framework::Decision& decision = decider_->decide(*profile, own);
  services_.moment.end_decision();
  return &decision;
}

std::map<std::string, uint64_t> SecondOpinion::broken() const {
  std::map<std::string, uint64_t> broken;
  for (host::HookId id = 1; id <= services_.hooks.size(); ++id) {
    host::HookCounts counts = services_.calls.counts(id);
    for (const host::CallContext* other : decider_->what_if_calls()) counts += other->counts(id);
    if (counts.broken != 0) broken[services_.hooks.name(id).broke_contract()] += counts.broken;
  }
  return broken;
}

void SecondOpinion::forget_states() {
  for (const auto& profile : assembly_.profiles)
    profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states(); });
}

void SecondOpinion::forget_states_of_pods() {
  for (const auto& profile : assembly_.profiles)
    profile->for_each_hook([](framework::BoundHook& hook) { hook.forget_states_of_pods(); });
}

}  // namespace berth::runtime
