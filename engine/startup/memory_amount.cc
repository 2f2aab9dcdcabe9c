#include "engine/startup/memory_amount.h"

#include "engine/model/objects/quantity.h"

namespace berth::startup {

std::optional<int64_t> memory_amount(const std::string& text) {
  const std::optional<model::Quantity> amount = model::Quantity::parse(text);
  if (!amount || amount->negative()) return std::nullopt;
  return amount->value();
}

CLI::Validator is_memory_amount(const std::string& zero) {
  return CLI::Validator(
      [zero](std::string& text) -> std::string {
        if (memory_amount(text)) return {};
        return "expected an amount of memory such as 512Mi or 4Gi, or 0 " + zero + ", not \"" +
               text + '"';
      },
      "");
}

}  // namespace berth::startup
