#include "engine/isolation/tables/decision.h"

#include <algorithm>
#include <utility>

#include "engine/isolation/tables/calls.h"

namespace berth::isolation {
namespace {

// The names live as long as the state, or else as the instance.
const std::vector<uint32_t>& kept_names(IsolatedInstance& instance, const void* state,
                                        std::vector<uint32_t> names) {
  auto& all = state != nullptr ? const_cast<State*>(static_cast<const State*>(state))->node_names
                               : instance.node_names();
  const auto known = std::ranges::find(all, names);
  return known != all.end() ? *known : all.emplace_back(std::move(names));
}

berth_code pre_filter(berth_plugin* plugin, const berth_call* call,
                      berth_pre_filter_result* result) {
  return guarded(
      plugin, call->error,
      [&] {
        InstanceCall made(of(plugin), Point::kPreFilter, state_of(call));
        made.put(*call);
        berth_code code = BERTH_SUCCESS;
        Reader answer = made.run(Call::kPreFilter, call->error, code);
        std::vector<uint32_t> names;
        *result = parsed<berth_pre_filter_result>(made.lane(), [&] {
          const auto raw = answer.get<berth_pre_filter_result>();
          names = answer.list<uint32_t>();
          return raw;
        });
        if (result->node_names == nullptr || result->narrows == 0) {
          result->node_names = nullptr;
          return code;
        }
        result->node_name_count = names.size();
        names.shrink_to_fit();
        if (names.empty()) names.reserve(1);  // so that no names are an array, too
        result->node_names = kept_names(of(plugin), call->state, std::move(names)).data();
        return code;
      },
      [&] {
        result->code = BERTH_SKIP;
        return BERTH_SUCCESS;
      });
}

berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
  return guarded(
      plugin, call->error,
      [&] { return fill<Point::kFilter, Call::kFilter>(plugin, call, verdicts); },
      [&] {
        std::fill_n(verdicts, call->count, uint8_t{BERTH_SUCCESS});
        return BERTH_SUCCESS;
      });
}

berth_code post_filter(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                       uint64_t draw, berth_nomination* nomination) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), Point::kPostFilter, state_of(call));
    made.put(*call);
    made.put_input(0, codes, call->count);
    made.request().numbers[0] = draw;
    berth_code code = BERTH_SUCCESS;
    Reader answer = made.run(Call::kPostFilter, call->error, code);
    std::vector<uint64_t>& victims = of(plugin).victims();
    *nomination = parsed<berth_nomination>(made.lane(), [&] {
      const auto raw = answer.get<berth_nomination>();
      victims = answer.list<uint64_t>();
      return raw;
    });
    if (nomination->victims == nullptr) return code;
    nomination->victim_count = victims.size();
    victims.emplace_back();
    nomination->victims = victims.data();
    return code;
  });
}

berth_code pre_score(berth_plugin* plugin, const berth_call* call, const berth_feasible* feasible,
                     berth_pre_score_result* result) {
  return guarded(
      plugin, call->error,
      [&] {
        InstanceCall made(of(plugin), Point::kPreScore, state_of(call));
        made.put(*call);
        if (feasible != nullptr) {
          LaneCall& lane = made.lane();
          berth_feasible* there = lane.copy(feasible, 1);
          there->rows = lane.there(lane.copy(feasible->rows, (feasible->row_count + 63) / 64));
          made.request().places[0] = lane.address(there);
        }
        berth_code code = BERTH_SUCCESS;
        Reader answer = made.run(Call::kPreScore, call->error, code);
        *result = parsed<berth_pre_score_result>(
            made.lane(), [&] { return answer.get<berth_pre_score_result>(); });
        return code;
      },
      [&] {
        result->code = BERTH_SKIP;
        return BERTH_SUCCESS;
      });
}

berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
  return guarded(
      plugin, call->error, [&] { return fill<Point::kScore, Call::kScore>(plugin, call, raw); },
      [&] {
        std::fill_n(raw, call->count, BERTH_NOT_SCORED);
        return BERTH_SUCCESS;
      });
}

berth_code normalise(berth_plugin* plugin, uint64_t count, const int64_t* raw, int64_t minimum,
                     int64_t maximum, int64_t* final) {
  return guarded(
      plugin, nullptr,
      [&] {
        InstanceCall made(of(plugin), Point::kScore);
        Request& request = made.request();
        request.numbers[0] = count;
        request.numbers[1] = static_cast<uint64_t>(minimum);
        request.numbers[2] = static_cast<uint64_t>(maximum);
        made.put_input(0, raw, count);
        const int64_t* there = made.put_output(1, final, count);
        berth_code code = BERTH_SUCCESS;
        made.run(Call::kNormalise, nullptr, code);
        take(final, there, count);
        return code;
      },
      [&] {
        std::fill_n(final, count, int64_t{0});
        return BERTH_SUCCESS;
      });
}

}  // namespace

void replace_in(berth_pre_filter& table) { replace(table.pre_filter, &pre_filter); }
void replace_in(berth_filter& table) {
  replace(table.filter, &filter);
  replace(table.reasons, &filled<Point::kFilter, Call::kFilterReasons, uint32_t>);
  replace(table.numbers, &numbers<Point::kFilter, Call::kFilterNumbers>);
}
void replace_in(berth_post_filter& table) { replace(table.post_filter, &post_filter); }
void replace_in(berth_pre_score& table) { replace(table.pre_score, &pre_score); }
void replace_in(berth_score& table) {
  replace(table.score, &score);
  replace(table.normalise_own, &normalise);
  replace(table.numbers, &numbers<Point::kScore, Call::kScoreNumbers>);
}

}  // namespace berth::isolation
