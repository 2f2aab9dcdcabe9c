#pragma once

// Asks a Filter or a Score about positions, in any order and number, as a host may.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/validator/trial/guarded.h"
#include "engine/validator/trial/session.h"

namespace berth::validator {

// For one position: a verdict and, of a refusal, the reason's id; or a raw score.
struct Answer {
  int64_t value = 0;
  uint32_t reason = 0;
  bool operator==(const Answer&) const = default;
};

// The positions of a call.
struct Cut {
  std::vector<uint32_t> positions;  // of the hook's space, in the order of the call
  std::vector<uint64_t> mask = {};  // one bit for each element of `positions`; empty: all are 1
  std::optional<GuardOptions> guards = {};  // nothing: the arrays are in ordinary memory

  bool in_mask(size_t i) const { return mask.empty() || (mask[i / 64] >> (i % 64) & 1) != 0; }
};

// The facts that a host knows of one pod before it asks a hook about positions: the states of the
// plugin's hooks for it, and which of them ran.
struct Asked {
  model::PodId pod;
  std::unique_ptr<framework::TemplateHook> pre_filter, pre_score, state;
  uint32_t ran = 0;  // as in berth_call
};

// Belongs to the thread of the session, which outlives it, but for call().
class RowHook {
 public:
  virtual ~RowHook() = default;

  virtual const host::Hook& hook() const = 0;
  virtual framework::BoundHook& bound() = 0;
  std::string name() const { return std::string(point_name(hook().point())); }
  // All positions of the hook's space.
  std::vector<uint32_t> everything();
  // "of node "node-7"", or of a code.
  std::string position_name(uint32_t position);

  // Prepares everything anew for the pod and asks PreFilter and PreScore first. Nothing: the host
  // would not call the hook for this pod, because it is skipped, refused, or passes, or because the
  // plugin reported an error. Throws Conviction.
  std::optional<Asked> begin(model::PodId pod);

  // One call; elements without a bit in the mask are Answer(). Nothing: the plugin reported an
  // error. Throws Conviction.
  std::optional<std::vector<Answer>> ask(const Asked& asked, const Cut& cut);

  // Fills `columns` for a call, and gives its names in `names`.
  void gather(const Asked& asked, const Cut& cut, framework::CallColumns& columns,
              std::vector<std::string>& names);
  // The call itself, with columns that were gathered. On any thread, each with its own arguments.
  // `guarded`: where outputs are; null: in ordinary memory.
  virtual host::CallError call(const Asked& asked, const Cut& cut, host::CallContext& calls,
                               const framework::CallColumns& columns, Guarded* guarded,
                               std::vector<Answer>& answers) const = 0;

 protected:
  explicit RowHook(Session& session) : session_(session) {}
  // Asks the hooks before this one. False: the host would not call it.
  virtual bool ask_before(Asked& asked) = 0;
  bool pre_filter(Asked& asked, size_t index, bool& skipped);
  bool pre_score(Asked& asked, size_t index);

  Session& session_;
};

// The Filter and the Score of the plugin, those of them that it has.
std::vector<std::unique_ptr<RowHook>> row_hooks(Session& session);
// The same; throws NotApplicable if there is none.
std::vector<std::unique_ptr<RowHook>> some_row_hooks(Session& session);

}  // namespace berth::validator
