#include "engine/ingest/objects/decode/deletion_cost.h"

#include <charconv>
#include <optional>
#include <string>

namespace berth::ingest {
namespace {

std::optional<int32_t> cost_of(const std::string& text) {
  if (text.starts_with('0') && text != "0") return std::nullopt;
  int32_t cost = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cost);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return cost;
}

}  // namespace

void read_deletion_cost(const FieldReader& annotations, model::PodSpec& spec) {
  if (!annotations.has(kDeletionCost)) return;
  if (const auto cost = cost_of(annotations.text(kDeletionCost)))
    spec.deletion_cost = *cost;
  else
    annotations.wrong(kDeletionCost, "expected an integer of 32 bits such as -5");
}

}  // namespace berth::ingest
