#include "engine/model/cluster/nodes/template_effects.h"

namespace berth::model {

void TemplateEffects::use(const ColumnInfo& info, Column& column) {
  if (info.attribute == Attribute::kNodePods) pods_column_ = &column;
  if (info.attribute == Attribute::kNodeRequested)
    requested_columns_[info.key] = {&column, info.changes};
  if (info.attribute == Attribute::kNodeNonzeroRequested) nonzero(info.key) = &column;
  ++version_;
}

void TemplateEffects::drop(const ColumnInfo& info) {
  if (info.attribute == Attribute::kNodeRequested) requested_columns_.erase(info.key);
  if (info.attribute == Attribute::kNodeNonzeroRequested) nonzero(info.key) = nullptr;
  ++version_;
}

const TemplateEffects::Effect& TemplateEffects::of(TemplateId pod) {
  if (pod >= effects_.size()) effects_.resize(templates_.size());
  Effect& effect = effects_[pod];
  if (effect.version == version_) return effect;
  const PodTemplate& t = templates_[pod];
  effect.version = version_;
  effect.amounts.clear();
  effect.rare.clear();
  effect.changes = change::kPods | change::kNonzero | (t.ports.empty() ? 0 : change::kPorts) |
                   (t.has_volumes() ? change::kVolumes : 0);
  if (pods_column_ != nullptr) effect.amounts.emplace_back(pods_column_, 1);
  if (nonzero_cpu_column_ != nullptr)
    effect.amounts.emplace_back(nonzero_cpu_column_, t.nonzero_milli_cpu);
  if (nonzero_memory_column_ != nullptr)
    effect.amounts.emplace_back(nonzero_memory_column_, t.nonzero_memory);
  for (const auto& [resource, amount] : t.accounted) {
    if (amount == 0) continue;
    if (rare_.is_rare(resource)) effect.rare.push_back(resource);
    auto at = requested_columns_.find(resource);
    if (at == requested_columns_.end()) continue;
    effect.amounts.emplace_back(at->second.first, amount);
    effect.changes |= at->second.second;
  }
  return effect;
}

}  // namespace berth::model
