#include "engine/kube/http/http.h"

#include <iterator>

#include "engine/base/assert.h"

namespace berth::kube {

std::string_view method_name(Method method) {
  constexpr std::string_view kNames[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
  const auto index = static_cast<size_t>(method);
  BERTH_ASSERT(index < std::size(kNames));
  return kNames[index];
}

}  // namespace berth::kube
