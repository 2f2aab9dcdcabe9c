#include "engine/framework/kept/kept_rows.h"

#include <algorithm>
#include <atomic>

namespace berth::framework {
namespace {

constexpr size_t kMostKinds = 64;
// Rows of all kinds together; a row takes about 16 bytes.
constexpr size_t kMostRows = size_t{1} << 21;

}  // namespace

KeptRows* KeptRowsTable::of(const DecisionContext& context) {
  if (profile_ == context.profile && resolution_ == context.resolution) return last_;
  profile_ = context.profile;
  resolution_ = context.resolution;
  last_ = nullptr;
  if (!RowVersions::can_follow(context)) return nullptr;
  context.refresh_filters();
  Kind& kind = find(context);
  kind.used = ++uses_;
  kind.rows->versions.follow(context);
  return last_ = kind.rows.get();
}

// Addresses of states stand for them until the profile drops states.
void KeptRowsTable::make_key(const DecisionContext& context) {
  key_.clear();
  key_.push_back(reinterpret_cast<uintptr_t>(context.profile));
  key_.push_back(context.profile->forgotten());
  key_.push_back(static_cast<uint64_t>(context.priority));
  for (const TemplateHook* state : context.filter_states())
    key_.push_back(reinterpret_cast<uintptr_t>(state));
  for (const auto& hook : context.profile->filter) key_.push_back(context.ran(hook));
}

KeptRowsTable::Kind& KeptRowsTable::find(const DecisionContext& context) {
  make_key(context);
  for (Kind& kind : kinds_)
    if (kind.key == key_) return kind;
  const size_t rows = std::max<size_t>(cluster_.nodes().rows(), 1);
  while (!kinds_.empty() && kinds_.size() >= std::min(kMostKinds, kMostRows / rows)) drop_oldest();
  // Several deciders may share an evaluator, which keeps something by number as well.
  static std::atomic<uint64_t> numbers = 0;
  return kinds_.emplace_back(
      Kind{key_, 0, std::make_unique<KeptRows>(++numbers, cluster_, context)});
}

void KeptRowsTable::drop_oldest() {
  const auto oldest = std::min_element(
      kinds_.begin(), kinds_.end(), [](const Kind& a, const Kind& b) { return a.used < b.used; });
  *oldest = std::move(kinds_.back());
  kinds_.pop_back();
}

}  // namespace berth::framework
