#include "engine/output/bindings/binding_names.h"

#include "engine/base/text/printable.h"

namespace berth::output {

void BindingNames::write(std::string_view, std::string_view name, std::string_view) {
  constexpr std::string_view kKind = "pod/";
  if (lines_.size() + kKind.size() + name.size() + 1 > kCapacity) flush();
  lines_ += kKind;
  lines_ += printable(name);
  lines_ += '\n';
}

void BindingNames::flush() {
  if (!lines_.empty()) sink_.write(std::string_view(lines_));
  lines_.clear();
}

}  // namespace berth::output
