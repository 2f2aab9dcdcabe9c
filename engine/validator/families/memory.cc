// The memory that hooks read and write: arrays between pages that nobody may touch.

#include <array>

#include "engine/validator/families/families.h"
#include "engine/validator/trial/pod_calls.h"
#include "engine/validator/trial/questions.h"

namespace berth::validator {
namespace {

// Lets the hook prepare states for all pods with guarded columns.
void prepare_guarded(Session& session, const framework::BoundHook& bound,
                     const GuardOptions& options) {
  if (!bound.hook().prepares()) return;
  for (const model::PodId pod : session.pods()) {
    const model::PodRecord* record = &session.pod(pod);
    framework::CallColumns columns;
    bound.gather_pods(nullptr, {&record, 1}, {}, columns);
    for (size_t i = 0; i < columns.columns.size(); ++i)
      if (!bound.hook().inputs()[i].starts_with("pod.")) columns.columns[i] = berth_column{};
    Guarded guarded(options);
    guarded.take(columns.columns, bound.hook().inputs());
    const auto* list =
        guarded.input("the list of columns", columns.columns.data(), columns.columns.size());
    guarded.protect();
    host::Prepared prepared;
    reported(bound.hook().prepare(session.calls(), {list, columns.columns.size()}, prepared));
  }
}

void ask_guarded(const Subject& subject, const GuardOptions& options, const std::string& how) {
  Session session(subject);
  watch_guards();
  session.profile().for_each_hook(
      [&](framework::BoundHook& bound) { prepare_guarded(session, bound, options); });
  const size_t asked = call_guarded(session, options);
  if (row_hooks(session).empty() && asked != 0) return;
  for_questions(session, [&](Question& question) {
    // A whole number of blocks, a part of one, and single positions.
    for (const size_t count : {size_t{1}, size_t{64}, size_t{77}, question.all.size()}) {
      Cut cut{.positions = question.all};
      if (count < cut.positions.size()) cut.positions.resize(count);
      cut.guards = options;
      question.expect(cut, how);
      cut.mask.assign((cut.positions.size() + 63) / 64, 0x3333'3333'3333'3333u);
      question.expect(cut, how);
    }
  });
}

void check_behind(const Subject& subject) {
  ask_guarded(subject, {.side = GuardOptions::Side::kBehind},
              "when its arrays end at a page that cannot be read");
}
void check_before(const Subject& subject) {
  ask_guarded(subject, {.side = GuardOptions::Side::kBefore},
              "when its arrays begin behind a page that cannot be read");
}
void check_read_only(const Subject& subject) {
  ask_guarded(subject, {.read_only = true}, "when its inputs are read-only");
}
void check_lifetime(const Subject& subject) {
  ask_guarded(subject, {.ends_with_call = true}, "when the arrays of former calls are gone");
}
void check_padding(const Subject& subject) {
  for (const uint8_t padding : {uint8_t{0x00}, uint8_t{0xFF}, uint8_t{0x5A}})
    ask_guarded(subject, {.padding = padding},
                "when other bytes stand behind the values of its columns");
}

constexpr std::array<Check, 5> kMemoryChecks = {{
    {"memory.behind",
     "A call has count positions. The 64 bytes behind the last value of a column are readable, "
     "and nothing behind them; outputs end with the last position.",
     "abi/include/berth/abi/column.h", "calls.hooks", check_behind, false, true},
    {"memory.before", "The arrays of a call begin with position 0.",
     "abi/include/berth/abi/column.h", "calls.hooks", check_before, false, true},
    {"memory.read_only", "Columns are constant: a plugin writes to output arrays alone.",
     "abi/include/berth/abi/column.h", "calls.hooks", check_read_only, false, true},
    {"memory.lifetime", "Pointers with the lifetime \"call\" are valid until the function returns.",
     "abi/include/berth/abi/base.h", "calls.hooks", check_lifetime, false, true},
    {"memory.padding", "What stands behind the values of a column changes no answer.",
     "abi/include/berth/abi/column.h", "calls.hooks", check_padding, false, true},
}};

}  // namespace

std::span<const Check> memory_checks() { return kMemoryChecks; }

}  // namespace berth::validator
