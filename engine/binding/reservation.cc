#include "engine/binding/reservation.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::binding {

template <typename Hook>
berth_call Reservation::call(Hook& hook, model::PodId pod, model::Row row) {
  const model::PodRecord* record = &cluster_.pod(pod);
  hook.bound.gather_pods(nullptr, {&record, 1}, {&row, 1}, columns_);
  return framework::BoundHook::call(columns_, 1, nullptr, 0);
}

void Reservation::tell(PlacementCall::Point point, std::string_view plugin, model::PodId pod,
                       uint8_t code, Time timeout) {
  if (observer_ == nullptr) return;
  const model::StringId node = cluster_.nodes().node(cluster_.pod(pod).slot).name;
  observer_->called({point, plugin, pod, cluster_.text(node), code, timeout});
}

template <typename Hook, typename Call>
std::optional<Rejection> Reservation::ask(Hook& hook, const char* point, model::PodId pod,
                                          model::Row row, Call&& make) {
  berth_call first = call(hook, pod, row);
  uint8_t code = BERTH_SUCCESS;
  uint32_t reason = 0;
  host::CallError error = make(first, code, reason);
  if (!error && (code == BERTH_SUCCESS || code == BERTH_WAIT)) return std::nullopt;
  std::string where =
      std::string("running ") + point + " plugin \"" + hook.point->plugin() + "\": ";
  if (error) {
    const auto name = [&](size_t) { return "pod \"" + model::full_name(cluster_, pod) + '"'; };
    return Rejection{true, where + error.text_about(name), {}, {}};
  }
  if (code == BERTH_ERROR) return Rejection{true, where.append(calls_.error_text()), {}, {}};
  Rejection refused;
  refused.code = code;
  refused.refused_by.add(hook.point->plugin(), code);
  std::vector<std::string> texts;
  berth_call again = call(hook, pod, row);
  if (host::CallError failure = hook.point->describe(calls_, again, reason, texts)) {
    refused.message = where + failure.text();
    return refused;
  }
  for (const std::string& text : texts) ++refused.reasons[text];
  refused.message = framework::fit_error(1, refused.reasons);
  return refused;
}

host::AboutPod Reservation::about(model::PodId pod) const {
  const model::PodRecord& record = cluster_.pod(pod);
  return {cluster_.text(record.namespace_name), cluster_.text(record.name),
          host::AboutPod::Of::kThread};
}

bool Reservation::concerns(const framework::DecisionContext& cycle) {
  const framework::Profile& profile = *cycle.profile;
  return !profile.permit.empty() ||
         std::any_of(profile.reserve.begin(), profile.reserve.end(),
                     [&](const auto& hook) { return cycle.calls(hook); });
}

Reserved Reservation::reserve(const framework::DecisionContext& cycle, model::PodId pod,
                              model::Row row) {
  BERTH_ASSERT(cluster_.nodes().slot_of(row) == cluster_.pod(pod).slot);
  const host::AboutPod about = this->about(pod);
  if (auto rejection = ask_reserve(cycle, pod, row)) return {std::move(rejection), {}};
  std::vector<Hold> holds;
  if (auto rejection = ask_permit(*cycle.profile, pod, row, holds))
    return {std::move(rejection), {}};
  return {std::nullopt, std::move(holds)};
}

std::optional<Rejection> Reservation::ask_reserve(const framework::DecisionContext& cycle,
                                                  model::PodId pod, model::Row row) {
  framework::Profile& profile = *cycle.profile;
  const framework::PointTimer timer(points_);
  bool asked = false;
  std::optional<Rejection> rejection;
  for (auto& hook : profile.reserve) {
    if (!cycle.calls(hook)) continue;
    asked = true;
    rejection =
        ask(hook, "Reserve", pod, row, [&](berth_call& call, uint8_t& code, uint32_t& reason) {
          host::CallError error = hook.point->call(calls_, call, {&code, 1}, {&reason, 1});
          tell(PlacementCall::Point::kReserve, hook.point->plugin(), pod,
               error ? uint8_t{BERTH_ERROR} : code);
          return error;
        });
    if (rejection) break;
  }
  if (asked)
    timer.end(framework::TimedPoint::kReserve, profile, profile.reserve,
              [&] { return rejection ? rejection->code : uint8_t{BERTH_SUCCESS}; });
  return rejection;
}

std::optional<Rejection> Reservation::ask_permit(framework::Profile& profile, model::PodId pod,
                                                 model::Row row, std::vector<Hold>& holds) {
  const framework::PointTimer timer(points_);
  std::optional<Rejection> rejection;
  for (auto& hook : profile.permit) {
    rejection =
        ask(hook, "Permit", pod, row, [&](berth_call& call, uint8_t& code, uint32_t& reason) {
          int64_t timeout = 0;
          host::CallError error =
              hook.point->call(calls_, call, {&code, 1}, {&reason, 1}, {&timeout, 1});
          tell(PlacementCall::Point::kPermit, hook.point->plugin(), pod,
               error ? uint8_t{BERTH_ERROR} : code, Time(timeout));
          if (!error && code == BERTH_WAIT) holds.push_back({hook.point->plugin(), Time(timeout)});
          return error;
        });
    if (rejection) break;
  }
  timer.end(framework::TimedPoint::kPermit, profile, profile.permit, [&]() -> uint8_t {
    if (rejection) return rejection->code;
    return holds.empty() ? BERTH_SUCCESS : BERTH_WAIT;
  });
  return rejection;
}

void Reservation::unreserve(framework::Profile& profile, model::PodId pod) {
  BERTH_ASSERT(cluster_.pod(pod).placed());
  const host::AboutPod about = this->about(pod);
  const model::Row row = cluster_.nodes().row_of(cluster_.pod(pod).slot);
  const framework::PointTimer timer(points_);
  for (auto hook = profile.reserve.rbegin(); hook != profile.reserve.rend(); ++hook) {
    berth_call one = call(*hook, pod, row);
    static_cast<void>(hook->point->unreserve(calls_, one));
    tell(PlacementCall::Point::kUnreserve, hook->point->plugin(), pod);
  }
  timer.end(framework::TimedPoint::kUnreserve, profile, profile.reserve,
            [] { return uint8_t{BERTH_SUCCESS}; });
}

}  // namespace berth::binding
