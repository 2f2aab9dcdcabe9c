#pragma once

// The names of the functions of services in messages: "strings.intern".

#include <array>
#include <string>
#include <string_view>

#include "engine/isolation/services/services.h"

namespace berth::isolation {

namespace ways {

// "const auto kMember = &berth_strings_service::intern]", as the compiler writes it: the table and
// the member. No list of names has to be kept in step with the tables.
template <auto kMember>
constexpr std::string_view written() {
  constexpr std::string_view kSign = "berth_";
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::string_view name =
      text.substr(text.find(kSign, text.find("kMember = ")) + kSign.size());
  return name.substr(0, name.find_first_of("];"));
}

template <auto... kMembers>
constexpr auto written_of(Functions<kMembers...>) {
  return std::array{written<kMembers>()...};
}

}  // namespace ways

// `index`: of AllFunctions.
inline std::string function_name(size_t index) {
  constexpr std::string_view kService = "_service";
  const std::string_view written = ways::written_of(AllFunctions()).at(index);
  std::string_view table = written.substr(0, written.find(':'));
  if (table.ends_with(kService)) table.remove_suffix(kService.size());
  return std::string(table) + "." + std::string(written.substr(written.rfind(':') + 1));
}
inline constexpr size_t kFunctionCount = ways::written_of(AllFunctions()).size();

}  // namespace berth::isolation
