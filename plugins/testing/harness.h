#pragma once

// Calls a plugin through its C tables, as the host does, with columns that a test supplies.
//
// Each call over rows is repeated in several shapes: all rows at once, row by row, backwards and
// masked. The answers must be equal, because the answer for a position may depend only on the
// columns at that position.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/bind.h"
#include "berth/abi/enqueue.h"
#include "berth/abi/filter.h"
#include "berth/abi/plugin.h"
#include "berth/abi/score.h"
#include "plugins/testing/fake_config.h"
#include "plugins/testing/fake_host.h"
#include "plugins/testing/values.h"

namespace berth::plugins::testing {

// Columns by id. Columns of the call's space have one value per position; those of the pod and of
// the cluster have one value.
using Columns = std::map<std::string, Values, std::less<>>;

struct Verdict {
  berth_code code = BERTH_SUCCESS;
  std::vector<std::string> reasons;  // of a refusal

  bool operator==(const Verdict&) const = default;
};
void PrintTo(const Verdict& verdict, std::ostream* out);

// An event: the columns of its object, by id; none of one that was added or deleted.
struct HintEvent {
  uint32_t kind = 0;
  uint32_t action = 0;
  std::optional<Columns> before;
  std::optional<Columns> after;
  uint32_t node = 0;  // string ids
  uint32_t nominated_node = 0;
  bool self = false;
  // Of storage: structs of berth/abi/volumes.h.
  const void* object_before = nullptr;
  const void* object_after = nullptr;
};

// Of one placement.
struct PermitAnswer {
  berth_code code = BERTH_SUCCESS;
  std::vector<std::string> reasons;  // of a refusal
  int64_t timeout_nanoseconds = 0;   // of BERTH_WAIT

  bool operator==(const PermitAnswer&) const = default;
};

struct PreFilterAnswer {
  berth_code code = BERTH_SUCCESS;
  std::vector<std::string> reasons;
  bool narrows = false;
  std::vector<uint32_t> node_names;
};

// The plugin whose objects are linked into the test. If the plugin fails, a call throws
// std::runtime_error with the plugin's text.
class Harness {
 public:
  explicit Harness(FakeHost& host, std::string_view arguments = "{}");
  ~Harness();
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;

  static const berth_plugin_descriptor& descriptor();
  // The errors that `validate` reports for the arguments, and unknown members as "path: unknown
  // field".
  static std::vector<std::string> validate(std::string_view arguments,
                                           const Rules& rules = Rules());

  berth_plugin* raw() const { return plugin_; }
  // Null if the plugin does not implement the extension point.
  template <class Table>
  const Table* table(std::string_view point) const {
    return static_cast<const Table*>(extension(point));
  }

  std::vector<Verdict> pre_enqueue(const Columns& columns);
  std::vector<std::string> queue_keys(const Columns& columns);  // 16 bytes each
  // The BERTH_DID_ bits for a BERTH_ON_ bit.
  uint32_t actions(uint32_t kind);
  // `columns`: of the refused pod, and tables that are passed whole.
  bool hint(const Columns& columns, const HintEvent& event);
  PreFilterAnswer pre_filter(const Columns& columns);
  std::vector<Verdict> filter(const Columns& columns, uint32_t ran = BERTH_RAN_PRE_FILTER);
  // The numbers behind the verdict on each position, one text for each item (fake_numbers.h).
  std::vector<std::vector<std::string>> filter_numbers(const Columns& columns);
  // The same behind the score.
  std::vector<std::vector<std::string>> score_numbers(const Columns& columns);
  // `feasible`: 1 for each feasible row; empty: all rows are. For hooks that depend on the feasible
  // set.
  berth_code pre_score(const Columns& columns, const std::vector<uint8_t>& feasible = {});
  std::vector<int64_t> score(const Columns& columns, uint32_t ran = BERTH_RAN_PRE_SCORE);
  std::vector<uint8_t> bind(const Columns& columns, const uint64_t* mask = nullptr);
  // Placements by pod.handle, as for bind(). One call: what these hooks answer may depend on the
  // calls before.
  std::vector<uint8_t> reserve(const Columns& columns);
  void unreserve(const Columns& columns);
  std::vector<PermitAnswer> permit(const Columns& columns);
  // The code of each placement, or WAIT; `waited`: nanoseconds, of all of them. Texts are in
  // error().
  std::vector<uint8_t> pre_flight(const Columns& columns);
  std::vector<uint8_t> pre_bind(const Columns& columns, int64_t waited);

  // About the last filter() or score(): whether the template passes without a call, and the ids of
  // the columns that calls got.
  bool passed() const { return passed_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  // About the last pre_score(): whether it declared the kept raw scores stale.
  bool changed() const { return changed_; }
  // The text that the plugin wrote to the error sink since the last call.
  const std::string& error() const { return error_; }

 private:
  class Prepared;
  struct Shape;  // the positions of a call, their order, and the mask

  const void* extension(std::string_view point) const;
  void check(berth_code code) const;
  template <class Table>
  std::vector<std::vector<std::string>> numbers(const Table& point, const Columns& columns,
                                                uint32_t ran);
  // Calls `function(call)` over all placements.
  template <class Function>
  auto at_placements(const Prepared& prepared, const Columns& columns, Function&& function);
  std::vector<std::string> describe(const Prepared& prepared, uint32_t reason, size_t position,
                                    uint32_t ran);

  FakeHost& host_;
  berth_plugin* plugin_ = nullptr;
  berth_text_sink sink_{};
  std::string error_;
  bool passed_ = false;
  bool changed_ = false;
  uint64_t generation_ = 0;               // of the last feasible set
  std::unique_ptr<Prepared> pre_scored_;  // states of one template's hooks live together
  std::vector<std::string> inputs_;
};

}  // namespace berth::plugins::testing
