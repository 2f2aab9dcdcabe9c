#include "plugins/node_affinity/score.h"

#include <algorithm>

#include "berth/sdk/arithmetic.hpp"

namespace berth::plugins {
namespace {

BERTH_SDK_VECTORISE
void add_weight(const uint8_t* matches, int64_t weight, int64_t* raw, size_t count) {
  for (size_t i = 0; i < count; ++i) raw[i] += matches[i] != 0 ? weight : 0;
}

// Formats several errors like Kubernetes' aggregate error: each text once.
std::string list(const std::vector<std::string>& problems) {
  std::string out;
  size_t different = 0;
  for (auto one = problems.begin(); one != problems.end(); ++one) {
    if (std::find(problems.begin(), one, *one) != one) continue;
    out += sdk::concat(different++ == 0 ? "" : ", ", *one);
  }
  return different > 1 ? sdk::concat("[", out, "]") : out;
}

}  // namespace

std::string PreferredInputs::problem(const sdk::Columns& pod,
                                     const sdk::Selectors& selectors) const {
  std::vector<std::string> problems;
  const berth_text_sink sink = {
      sizeof(sink), 0, &problems, [](void* context, berth_string text) {
        static_cast<std::vector<std::string>*>(context)->emplace_back(sdk::to_view(text));
      }};
  for (const uint32_t term : pod.one(terms)) selectors.problems(term, &sink);
  return list(problems);
}

void AffinityPreScore::prepare(const sdk::Template& pod, sdk::Preparation&, PreScoreState& state) {
  state.problem = preferred_.problem(pod, selectors_);
}

void AffinityPreScore::pre_score(const Call& call, const berth_feasible*,
                                 sdk::PreScoreResult& result) const {
  if (!call.state().problem.empty()) throw sdk::Failure(call.state().problem);
  if (call.one(has_preferred_) == 0 && !args_.adds_preferred) result.skip();
}

void AffinityScore::prepare(const sdk::Template& pod, sdk::Preparation& prepared,
                            PreferredMatches& state) {
  const auto add = [&](uint32_t selector, int64_t weight) {
    state.terms.push_back({prepared.add<uint8_t>(selectors_.match_column(selector)), weight});
  };
  for (const auto& [selector, weight] : args_.added_preferred) add(selector, weight);
  const auto terms = pod.one(preferred_.terms);
  const auto weights = pod.one(preferred_.weights);
  for (size_t i = 0; i < terms.size(); ++i) add(terms[i], weights[i]);
  // Only reached if PreScore is disabled; Score then fails the pod with the same text.
  state.problem = preferred_.problem(pod, selectors_);
  if (state.terms.empty()) prepared.passes();
}

void AffinityScore::score(const Call& call, std::span<int64_t> raw) const {
  const PreferredMatches& state = call.state();
  if (!state.problem.empty()) throw sdk::Failure(state.problem);
  std::fill(raw.begin(), raw.end(), 0);
  for (const PreferredMatches::Term& term : state.terms)
    add_weight(call[term.matches].data(), term.weight, raw.data(), raw.size());
}

}  // namespace berth::plugins
