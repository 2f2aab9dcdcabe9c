#include "engine/framework/hints/queueing_hints.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::framework {
namespace {

bool reads_regard(const HookAt<host::Hints>& hook) {
  return std::ranges::count(hook.bound.hook().inputs(), "event.anti_affinity_matches") != 0;
}

// Starts a call's columns: all are null.
void begin(const TemplateHook& state, CallColumns& out) {
  out.columns.assign(state.inputs.size(), berth_column{});
  if (out.gathered.size() < state.inputs.size()) out.gathered.resize(state.inputs.size());
}

}  // namespace

QueueingHints::QueueingHints(std::span<const std::unique_ptr<Profile>> profiles,
                             model::Cluster& cluster, host::CallContext& calls)
    : cluster_(cluster), calls_(calls) {
  for (size_t i = 0; i < profiles.size(); ++i)
    for (const RefusingPlugin& plugin : profiles[i]->refusers)
      add_plugin(i, plugin, plugin.hints == kNoHook ? nullptr : &profiles[i]->hints[plugin.hints]);
  BERTH_ASSERT(plugins_.size() <= size_t{UINT16_MAX} + 1);
}

void QueueingHints::add_plugin(size_t profile, const RefusingPlugin& plugin,
                               HookAt<host::Hints>* hook) {
  HintedPlugin& made = plugins_.emplace_back(HintedPlugin{profile, plugin.plugin, {}});
  hooks_.push_back(hook);
  reads_regard_.push_back(hook != nullptr && reads_regard(*hook));
  for (const uint32_t kind : host::Hints::kKinds) {
    const uint32_t wanted =
        hook != nullptr ? hook->point->actions(kind) : host::Hints::kEveryAction;
    if (wanted != 0) made.interests.push_back({kind, wanted, hook != nullptr});
    const bool implied = kind == BERTH_ON_NODE && (wanted & BERTH_DID_ADD) != 0 &&
                         (wanted & BERTH_DID_UPDATE_TAINT) == 0;
    if (implied) made.interests.push_back({kind, BERTH_DID_UPDATE_TAINT, false});
  }
}

std::optional<HintedPluginId> QueueingHints::find(size_t profile, std::string_view name) const {
  const auto at = std::find_if(plugins_.begin(), plugins_.end(), [&](const HintedPlugin& plugin) {
    return plugin.profile == profile && plugin.name == name;
  });
  if (at == plugins_.end()) return std::nullopt;
  return static_cast<HintedPluginId>(at - plugins_.begin());
}

bool QueueingHints::follow_shapes() const {
  return std::none_of(hooks_.begin(), hooks_.end(), [](const HookAt<host::Hints>* hook) {
    return hook != nullptr && hook->bound.follows_pod();
  });
}

const QueueingHints::Interest* QueueingHints::met(const HintEvent& event,
                                                  HintedPluginId plugin) const {
  const Interest* found = nullptr;
  for (const Interest& interest : plugins_[plugin].interests)
    if (interest.kind == event.kind && (interest.actions & event.action) != 0 &&
        (found == nullptr || !interest.asks))
      found = &interest;
  return found;
}

void QueueingHints::hint(const HintEvent& event, HintedPluginId plugin,
                         std::span<const model::PodId> pods, std::span<uint8_t> answers) {
  BERTH_ASSERT(plugin < plugins_.size() && pods.size() == answers.size());
  const Interest* interest = met(event, plugin);
  if (interest == nullptr || !interest->asks) {
    std::fill(answers.begin(), answers.end(), uint8_t{interest != nullptr});
    return;
  }
  ++round_;
  shuns_ = {};
  if (reads_regard_[plugin])
    shuns_ = {.before = shuns_of(event.pod_before), .after = shuns_of(event.pod_after)};
  for (size_t i = 0; i < pods.size(); ++i) answers[i] = answer_of(*hooks_[plugin], event, pods[i]);
}

const std::vector<model::TermId>* QueueingHints::shuns_of(const model::PodRecord* pod) {
  if (pod == nullptr) return nullptr;
  const model::ShapeTerms& all = cluster_.shapes().terms(cluster_.shape(*pod));
  const auto& terms = all.of(model::TermGroup::kAntiAffinity).terms;
  return terms.empty() ? nullptr : &terms;
}

QueueingHints::Regard QueueingHints::regard(const model::PodRecord& refused) const {
  const auto match = [&](const std::vector<model::TermId>* terms) {
    return terms != nullptr && std::ranges::all_of(*terms, [&](model::TermId term) {
             return cluster_.terms().matches_event(term, refused.namespace_name,
                                                   cluster_.templates().labels(refused.labels));
           });
  };
  return (match(shuns_.before) ? kBefore : Regard{0}) | (match(shuns_.after) ? kAfter : Regard{0});
}

uint8_t QueueingHints::answer_of(HookAt<host::Hints>& hook, const HintEvent& event,
                                 model::PodId pod) {
  const model::PodRecord& record = cluster_.pod(pod);
  TemplateHook& state = hook.bound.of(record, calls_);
  hook.bound.refresh(state);
  const Regard how = regard(record);
  if (pod == event.pod()) return ask(hook, state, event, true, how);
  HintAnswer& answer = state.hint;
  if (answer.round != round_) answer = {.round = round_};
  const auto bit = static_cast<uint8_t>(1U << how);
  if ((answer.known & bit) == 0) {
    answer.known |= bit;
    if (ask(hook, state, event, false, how) != 0) answer.helps |= bit;
  }
  return (answer.helps & bit) != 0;
}

uint8_t QueueingHints::ask(const HookAt<host::Hints>& hook, const TemplateHook& state,
                           const HintEvent& event, bool self, Regard regard) {
  const auto failed = [this](const std::string& text) {
    ++failures_;
    last_failure_ = text;
    return uint8_t{1};
  };
  if (state.failed) return failed(state.error);
  gather_call(state, columns_);
  berth_event shown{};
  shown.size = sizeof shown;
  shown.kind = event.kind;
  shown.action = event.action;
  shown.node = event.of_node() ? cluster_.nodes().node(event.slot).name : event.assigned;
  shown.nominated_node = event.nominated;
  shown.self = self;
  shown.pod = event.pod().handle();
  shown.before = gather_object(state, event, event.node_before, event.pod_before,
                               (regard & kBefore) != 0, before_);
  shown.after = gather_object(state, event, event.node_after, event.pod_after,
                              (regard & kAfter) != 0, after_);
  shown.object_before = event.object_before;
  shown.object_after = event.object_after;
  berth_call call = BoundHook::call(columns_, 1, &state, 0);
  uint8_t helps = 0;
  if (const host::CallError error = hook.point->call(calls_, call, shown, helps))
    return failed(error.text());
  return helps;
}

void QueueingHints::gather_call(const TemplateHook& state, CallColumns& out) const {
  begin(state, out);
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    if (state.inputs[i] == 0) continue;
    const model::Column* source = state.sources[i].column;
    if (source == nullptr) {
      out.columns[i] = state.pod_columns[i];
    } else if (cluster_.catalog().info(state.inputs[i]).table != model::Table::kNodes) {
      out.columns[i] = source->view();
    }
  }
}

const berth_column* QueueingHints::gather_object(const TemplateHook& state, const HintEvent& event,
                                                 const model::NodeTable::Values* node,
                                                 const model::PodRecord* pod, bool shuns,
                                                 CallColumns& out) const {
  if (node == nullptr && pod == nullptr) return nullptr;
  begin(state, out);
  if (node != nullptr) gather_node(state, event.slot, *node, out);
  if (pod != nullptr) gather_pod(state, *pod, shuns, out);
  static constexpr berth_column kNoInputs{};
  return out.columns.empty() ? &kNoInputs : out.columns.data();
}

void QueueingHints::gather_node(const TemplateHook& state, model::Slot slot,
                                const model::NodeTable::Values& values, CallColumns& out) const {
  const model::NodeTable& nodes = cluster_.nodes();
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    if (state.inputs[i] == 0) continue;
    const model::ColumnInfo& info = cluster_.catalog().info(state.inputs[i]);
    if (info.table != model::Table::kNodes) continue;
    model::Gathered& gathered = out.gathered[i];
    gathered.begin(info.type, info.list);
    if (!nodes.gather(info, slot, values, gathered)) continue;
    out.columns[i] = gathered.view();
    out.columns[i].dictionary_size = nodes.dictionary_size(info);
  }
}

void QueueingHints::gather_pod(const TemplateHook& state, const model::PodRecord& pod, bool shuns,
                               CallColumns& out) const {
  const model::PodRecord* one = &pod;
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    if (state.inputs[i] == 0) continue;
    const model::ColumnInfo& info = cluster_.catalog().info(state.inputs[i]);
    model::Gathered& gathered = out.gathered[i];
    gathered.begin(info.type, info.list);
    if (info.table == model::Table::kPods) {
      model::gather_pods(info, cluster_, {&one, 1}, gathered);
    } else if (info.attribute == model::Attribute::kEventMatches) {
      gathered.value(uint8_t{cluster_.terms().matches_event(
          info.number, pod.namespace_name, cluster_.templates().labels(pod.labels))});
    } else if (info.attribute == model::Attribute::kEventAntiAffinity) {
      gathered.value(uint8_t{shuns});
    } else {
      continue;
    }
    out.columns[i] = gathered.view();
  }
}

}  // namespace berth::framework
