// Answers depend on what the hook declares, and on nothing else.
//
// The host keeps an answer until a declared input changes, and asks once for pods that are equal in
// the declared pod columns. So a hook must be a function of these columns. The check plays a
// history of the cluster and notes each answer under the values of all declared columns; nodes and
// pods of the made-up cluster take few different values, so most combinations come several times. A
// second answer to the same values convicts the hook.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <functional>

#include "engine/host/instance/text.h"
#include "engine/model/columns/column.h"
#include "engine/validator/families/families.h"
#include "engine/validator/trial/questions.h"

namespace berth::validator {
namespace {

using framework::CallColumns;

// Appends the values of positions [begin, end) of a column.
void append_values(const berth_column& column, size_t begin, size_t end, std::string& key) {
  if (column.data == nullptr) {
    key += '-';
    return;
  }
  const size_t width = model::element_size(column.type);
  const char* data = static_cast<const char*>(column.data);
  for (size_t i = begin; i < end; ++i) {
    if (column.starts == nullptr) {
      key.append(data + i * width, width);
      continue;
    }
    const uint32_t size = column.sizes[i];
    key.append(reinterpret_cast<const char*>(&size), sizeof size);
    key.append(data + column.starts[i] * width, size * width);
  }
}

// The common part of all positions of a question: the declared columns of the pod, and the columns
// of the call that are not of the hook's space.
std::string shared_key(Session& session, RowHook& hook, const Asked& asked,
                       const CallColumns& columns, const std::vector<std::string>& names) {
  std::string values = std::to_string(asked.ran) + hook.name();
  const model::PodRecord* record = &session.pod(asked.pod);
  CallColumns of_pod;
  hook.bound().gather_pods(nullptr, {&record, 1}, {}, of_pod);
  for (size_t i = 0; i < of_pod.columns.size(); ++i)
    if (hook.hook().inputs()[i].starts_with("pod.")) append_values(of_pod.columns[i], 0, 1, values);
  for (size_t i = 0; i < columns.columns.size(); ++i) {
    values += names[i];
    if (!asked.state->sources[i].aligned)
      append_values(columns.columns[i], 0, columns.columns[i].count, values);
  }
  return values;
}

struct Noted {
  int64_t value;
  model::PodId pod;
  std::string position;
  uint32_t round;
};

class Notes {
 public:
  explicit Notes(Session& session) : session_(session) {}

  // Asks about all positions and compares with what is noted.
  void take(RowHook& hook, const Asked& asked, uint32_t round) {
    const Cut cut{.positions = hook.everything()};
    CallColumns columns;
    std::vector<std::string> names;
    hook.gather(asked, cut, columns, names);
    const auto answers = hook.ask(asked, cut);
    if (!answers) return;
    const std::string shared = shared_key(session_, hook, asked, columns, names);
    const size_t shared_hash = std::hash<std::string>()(shared);
    for (size_t i = 0; i < cut.positions.size(); ++i) {
      std::string key(reinterpret_cast<const char*>(&shared_hash), sizeof shared_hash);
      for (size_t k = 0; k < columns.columns.size(); ++k)
        if (asked.state->sources[k].aligned) append_values(columns.columns[k], i, i + 1, key);
      note(hook, asked, cut.positions[i], (*answers)[i].value, std::move(key), round);
    }
  }
  size_t compared() const { return compared_; }

 private:
  void note(RowHook& hook, const Asked& asked, uint32_t position, int64_t value, std::string key,
            uint32_t round) {
    const auto [at, fresh] = noted_.try_emplace(
        std::move(key), Noted{value, asked.pod, hook.position_name(position), round});
    if (fresh) return;
    ++compared_;
    const Noted& first = at->second;
    if (first.value == value) return;
    throw AnswersDiffer(
        hook.name(),
        hook.name() + " answers " + value_text(hook, first.value) + " for pod " +
            session_.pod_name(first.pod) + " and " + first.position + ", and " +
            value_text(hook, value) + " for pod " + session_.pod_name(asked.pod) + " and " +
            hook.position_name(position) +
            (first.round == round ? "" : ", after other parts of the cluster changed") +
            ", which are equal in all columns that it declares (" +
            joined(hook.hook().inputs(), ", ") + ")");
  }

  Session& session_;
  boost::unordered_flat_map<std::string, Noted> noted_;
  size_t compared_ = 0;
};

void check_declared(const Subject& subject) {
  Session session(subject);
  Draws draws(subject.seed + 1);
  const auto hooks = some_row_hooks(session);
  Notes notes(session);
  constexpr uint32_t kRounds = 12;
  for (uint32_t round = 0; round < kRounds; ++round) {
    for (const auto& hook : hooks) {
      // The set of feasible nodes is an input, too, and differs from round to round.
      if (hook->hook().depends() != BERTH_DEPENDS_DECLARED) continue;
      for (const model::PodId pod : session.pods())
        if (const auto asked = hook->begin(pod)) notes.take(*hook, *asked, round);
    }
    session.change(draws);
  }
  if (notes.compared() == 0)
    throw NotApplicable("no two positions of the made-up cluster are equal in all declared inputs");
}

constexpr std::array<Check, 1> kInputChecks = {{
    {"inputs.declared",
     "A hook declares every column that it reads: equal values of the declared columns get equal "
     "answers, whatever else differs.",
     "abi/include/berth/abi/hook.h", "rows.again", check_declared},
}};

}  // namespace

std::span<const Check> input_checks() { return kInputChecks; }

}  // namespace berth::validator
