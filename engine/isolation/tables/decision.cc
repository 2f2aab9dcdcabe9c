#include "engine/isolation/tables/decision.h"

#include <algorithm>
#include <utility>

#include "engine/isolation/channel/tables.h"
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

}  // namespace

berth_code pass_pre_filter(berth_plugin* plugin, const berth_call* call,
                           berth_pre_filter_result* result) {
  return guarded(
      plugin, call->error,
      [&] {
        InstanceCall made(of(plugin), Point::kPreFilter, state_of(call));
        made.put(*call);
        berth_code code = BERTH_SUCCESS;
        Reader answer = made.run(kCall<&berth_pre_filter::pre_filter>, call->error, code);
        std::vector<uint32_t> names;
        *result = parsed(made.lane(), [&] {
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

berth_code pass_post_filter(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                            uint64_t draw, berth_nomination* nomination) {
  return guarded(call->error, [&] {
    InstanceCall made(of(plugin), Point::kPostFilter, state_of(call));
    made.put(*call);
    made.put_array(2, codes, call->count);
    made.request().arguments[3] = draw;
    berth_code code = BERTH_SUCCESS;
    Reader answer = made.run(kCall<&berth_post_filter::post_filter>, call->error, code);
    std::vector<uint64_t>& victims = of(plugin).victims();
    *nomination = parsed(made.lane(), [&] {
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

berth_code pass_pre_score(berth_plugin* plugin, const berth_call* call,
                          const berth_feasible* feasible, berth_pre_score_result* result) {
  return guarded(
      plugin, call->error,
      [&] {
        InstanceCall made(of(plugin), Point::kPreScore, state_of(call));
        made.put(*call);
        if (feasible != nullptr) {
          LaneCall& lane = made.lane();
          berth_feasible* there = lane.copy(feasible, 1);
          there->rows = lane.there(lane.copy(feasible->rows, (feasible->row_count + 63) / 64));
          made.request().arguments[2] = lane.address(there);
        }
        berth_code code = BERTH_SUCCESS;
        Reader answer = made.run(kCall<&berth_pre_score::pre_score>, call->error, code);
        *result = parsed(made.lane(), [&] { return answer.get<berth_pre_score_result>(); });
        return code;
      },
      [&] {
        result->code = BERTH_SKIP;
        return BERTH_SUCCESS;
      });
}

}  // namespace berth::isolation
