#include "cli/replay/journal/decisions.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/model/cluster/pod_name.h"

namespace berth::cli {
namespace {

constexpr uint64_t kNominates = 4;
// A frame has an end, and input may have names without one.
constexpr size_t kMostOfName = 1024;
constexpr size_t kMostVictims = 100;

std::string_view beginning_of_name(std::string_view name) { return name.substr(0, kMostOfName); }

std::optional<Decided::Outcome> outcome_of_attempt(const runtime::Report& report) {
  if (std::holds_alternative<runtime::Scheduled>(report)) return Decided::Outcome::kPlaced;
  if (std::holds_alternative<runtime::Refused>(report)) return Decided::Outcome::kRefused;
  if (std::holds_alternative<runtime::Failed>(report)) return Decided::Outcome::kFailed;
  return std::nullopt;
}

[[noreturn]] void refuse_decisions(const char* what) {
  throw Error(fmt::format("the journal's decisions cannot be read: {}", what));
}

// The texts of one frame, as they were numbered there.
class FrameTexts {
 public:
  explicit FrameTexts(TextTable& all) : all_(all) {}

  TextTable::Id read(Unpacker& from) {
    const uint32_t id = from.small();
    if (id == ids_.size()) ids_.push_back(all_.id(from.text()));
    if (id >= ids_.size()) refuse_decisions("a text is not there");
    return ids_[id];
  }

 private:
  TextTable& all_;
  std::vector<TextTable::Id> ids_{0};
};

}  // namespace

std::string decided_text(const Decided& decided) {
  if (decided.outcome == Decided::Outcome::kPlaced) return fmt::format("on {}", decided.node);
  const char* name = decided.outcome == Decided::Outcome::kFailed ? "failed" : "refused";
  return decided.nominates.empty() ? name
                                   : fmt::format("{}, and nominates {}", name, decided.nominates);
}

const Decided* DecisionTaker::take(const runtime::Report& report, const runtime::Core& core) {
  const std::optional<Decided::Outcome> outcome = outcome_of_attempt(report);
  if (!outcome) return nullptr;
  const model::Cluster& cluster = core.cluster();
  const model::PodRecord& pod = cluster.pod(runtime::pod_of(report));
  pod_.assign(beginning_of_name(cluster.text(pod.namespace_name)));
  pod_ += '/';
  pod_ += beginning_of_name(cluster.text(pod.name));
  const auto* scheduled = std::get_if<runtime::Scheduled>(&report);
  node_.assign(scheduled == nullptr ? "" : beginning_of_name(scheduled->node));
  nominates_.clear();
  if (scheduled == nullptr) take_nomination(*runtime::decision_of(report), cluster);
  decided_ = {pod_, node_, nominates_, *outcome, core.now()};
  return &decided_;
}

void DecisionTaker::take_nomination(const framework::Decision& decision,
                                    const model::Cluster& cluster) {
  if (!decision.post_filter || decision.post_filter->plugin.empty()) return;
  const std::vector<model::PodId>& victims = decision.post_filter->victims;
  nominates_ = beginning_of_name(cluster.node_name(decision.post_filter->row));
  if (victims.empty()) return;
  const char* between = " (evicts ";
  for (size_t i = 0; i < victims.size() && i < kMostVictims; ++i) {
    nominates_ += between;
    nominates_ += beginning_of_name(model::full_name(cluster, victims[i]));
    between = ", ";
  }
  if (victims.size() > kMostVictims)
    nominates_ += fmt::format(" and {} others", victims.size() - kMostVictims);
  nominates_ += ')';
}

void DecisionPacker::text(std::string_view text) {
  const TextTable::Id id = texts_.id(text);
  packer_.number(id);
  if (id <= known_) return;
  known_ = id;
  packer_.text(text);
}

// Times do not go backwards.
void DecisionPacker::add(const Decided& decided) {
  packer_.number(static_cast<uint64_t>(decided.outcome) |
                 (decided.nominates.empty() ? 0 : kNominates));
  packer_.number(static_cast<uint64_t>(decided.at.count() - at_));
  at_ = decided.at.count();
  text(decided.pod);
  if (decided.outcome == Decided::Outcome::kPlaced) text(decided.node);
  if (!decided.nominates.empty()) text(decided.nominates);
  ++count_;
}

std::vector<uint8_t> DecisionPacker::take(uint64_t before, uint64_t hash) {
  Packer whole;
  whole.number(before);
  whole.number(count_);
  whole.number(hash);
  whole.bytes(packer_.packed());
  packer_.clear();
  texts_ = {};
  known_ = 0;
  count_ = 0;
  at_ = 0;
  return whole.packed();
}

void DecisionList::add(std::span<const uint8_t> payload) {
  Unpacker from(payload);
  if (from.number() != decisions_.size()) refuse_decisions("some are missing");
  const uint64_t count = from.number();
  const uint64_t hash = from.number();
  FrameTexts texts(texts_);
  int64_t at = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t kind = from.number();
    const uint64_t outcome = kind & (kNominates - 1);
    if (outcome > static_cast<uint64_t>(Decided::Outcome::kFailed) || kind >= 2 * kNominates)
      refuse_decisions("an outcome is unknown");
    const uint64_t later = from.number();
    if (later > static_cast<uint64_t>(INT64_MAX - at)) refuse_decisions("a time is too late");
    at += static_cast<int64_t>(later);
    Kept kept{.pod = texts.read(from),
              .node = 0,
              .nominates = 0,
              .outcome = static_cast<Decided::Outcome>(outcome),
              .at = at};
    if (kept.outcome == Decided::Outcome::kPlaced) kept.node = texts.read(from);
    if ((kind & kNominates) != 0) kept.nominates = texts.read(from);
    decisions_.push_back(kept);
  }
  if (!from.done()) refuse_decisions("a frame has more than it says");
  marks_.push_back({decisions_.size(), hash});
}

Decided DecisionList::operator[](size_t i) const {
  const Kept& kept = decisions_[i];
  return {texts_[kept.pod], texts_[kept.node], texts_[kept.nominates], kept.outcome, Time(kept.at)};
}

std::optional<uint64_t> DecisionList::hash_after(size_t count) const {
  const auto at = std::ranges::lower_bound(marks_, count, {}, &Mark::count);
  if (at == marks_.end() || at->count != count) return std::nullopt;
  return at->hash;
}

}  // namespace berth::cli
