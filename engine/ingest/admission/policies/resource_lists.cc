#include "engine/ingest/admission/policies/resource_lists.h"

#include <algorithm>

namespace berth::ingest {
namespace {

auto place_of(auto& list, std::string_view resource) {
  return std::ranges::lower_bound(list, resource, {},
                                  [](const auto& entry) { return std::string_view(entry.first); });
}

// The integer with the largest suffix of which it is a multiple.
std::string scaled(int64_t value, int64_t base, std::string_view suffixes, std::string_view last) {
  size_t power = 0;
  while (value != 0 && power < suffixes.size() && value % base == 0) {
    value /= base;
    ++power;
  }
  if (power == 0) return std::to_string(value);
  return std::to_string(value) + suffixes[power - 1] + std::string(last);
}

}  // namespace

const model::Quantity* find_amount(const model::ResourceList& list, std::string_view resource) {
  const auto at = place_of(list, resource);
  return at == list.end() || at->first != resource ? nullptr : &at->second;
}

void set_amount(model::ResourceList& list, std::string_view resource,
                const model::Quantity& amount) {
  auto at = place_of(list, resource);
  if (at == list.end() || at->first != resource) at = list.insert(at, {std::string(resource), {}});
  at->second = amount;
}

void add_amount(model::ResourceList& list, std::string_view resource,
                const model::Quantity& amount) {
  model::Quantity sum = amount;
  if (const model::Quantity* known = find_amount(list, resource)) sum += *known;
  set_amount(list, resource, sum);
}

bool add_missing(model::ResourceList& list, const model::ResourceList& defaults) {
  bool any = false;
  for (const auto& [resource, amount] : defaults) {
    if (find_amount(list, resource) != nullptr) continue;
    set_amount(list, resource, amount);
    any = true;
  }
  return any;
}

std::string amount_text(std::string_view resource, const model::Quantity& amount) {
  if (model::Quantity::from_units(amount.value()) != amount) return amount.to_string();
  const bool bytes = resource.ends_with("memory") || resource.ends_with("storage") ||
                     resource.find("hugepages-") != resource.npos;
  if (bytes && amount.value() % 1024 == 0) return scaled(amount.value(), 1024, "KMGTPE", "i");
  return scaled(amount.value(), 1000, "kMGTPE", "");
}

bool is_extended(std::string_view resource) {
  const size_t slash = resource.find('/');
  if (slash == resource.npos || resource.starts_with("requests.")) return false;
  const std::string_view domain = resource.substr(0, slash);
  return domain != "kubernetes.io" && !domain.ends_with(".kubernetes.io");
}

}  // namespace berth::ingest
