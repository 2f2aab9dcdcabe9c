#include "engine/framework/hooks/pod_kinds.h"

#include <algorithm>
#include <atomic>

#include "engine/base/assert.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::framework {

template <typename Answers>
uint64_t KeptAnswers<Answers>::next_number() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}
template class KeptAnswers<PreFilterAnswers>;
template class KeptAnswers<PreScoreAnswers>;

void PodKinds::add(const BoundHook& hook) {
  BERTH_ASSERT(count() == 0);
  of_terms_ |= hook.declares_terms();
  of_shape_ |= hook.declares_pod_family();
  for (const model::ColumnId column : hook.own_columns())
    if (!cluster_.catalog().info(column).of_instance() &&
        std::ranges::find(columns_, column) == columns_.end())
      columns_.push_back(column);
}

PodKind& PodKinds::of(const model::PodRecord& pod, uint64_t forgotten) {
  if (forgotten != forgotten_ || kinds_.size() >= kMost) {
    forget();
    forgotten_ = forgotten;
  }
  Known& known = by_shape_.at(cluster_.shape(pod), round_);
  const uint64_t context = cluster_.pod_context();
  if (known.round != round_ || known.context != context)
    known = {round_, context, &find_or_make(pod)};
  return *known.kind;
}

PodKind& PodKinds::find_or_make(const model::PodRecord& pod) {
  key_.clear();
  key_.push_back(pod.pod_template);
  if (of_terms_) key_.push_back(cluster_.shapes().terms_id(cluster_.shape(pod)));
  for (const model::ColumnId column : columns_)
    append_identity(cluster_.catalog().info(column), cluster_, pod, key_);
  if (of_shape_) {
    key_.push_back(cluster_.shape(pod));
    key_.push_back(cluster_.pod_context());
  }
  auto [at, fresh] = kinds_.try_emplace(key_);
  if (fresh) {
    at->second = std::make_unique<PodKind>();
    at->second->states = std::make_unique<TemplateHook*[]>(hooks_);
  }
  return *at->second;
}

void PodKinds::forget() {
  kinds_.clear();
  by_shape_.drop_older(round_);
  ++round_;
}

}  // namespace berth::framework
