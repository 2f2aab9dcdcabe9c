#include "engine/played/controllers/controller_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/base/error.h"

namespace berth::played {

ControllerList ControllerList::parse(std::string_view text) {
  if (text.empty()) return none();
  std::array<std::optional<bool>, kControllerNames.size()> said;
  bool others = false;
  while (true) {
    const size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    if (item == "*") {
      others = true;
    } else {
      const bool on = !item.starts_with('-');
      const std::string_view name = on ? item : item.substr(1);
      const auto at = std::ranges::find(kControllerNames, name);
      if (at == kControllerNames.end())
        throw Error(fmt::format("no controller is called \"{}\"; there are {}, and * for all", name,
                                fmt::join(kControllerNames, ", ")));
      auto& first = said[static_cast<size_t>(at - kControllerNames.begin())];
      if (!first) first = on;
    }
    if (comma == text.npos) break;
    text.remove_prefix(comma + 1);
  }
  ControllerList list = none();
  for (size_t i = 0; i < said.size(); ++i) list.on_[i] = said[i].value_or(others);
  return list;
}

std::string ControllerList::text() const {
  std::string with, without = "*";
  for (size_t i = 0; i < on_.size(); ++i) {
    std::string& list = on_[i] ? with : without;
    if (!list.empty()) list += ',';
    if (!on_[i]) list += '-';
    list += kControllerNames[i];
  }
  return with.size() <= without.size() ? with : without;
}

}  // namespace berth::played
