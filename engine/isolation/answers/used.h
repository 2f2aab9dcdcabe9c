#pragma once

#include "engine/isolation/channel/message.h"

namespace berth::isolation {

// A service that the plugin uses must be one that it looked up.
template <typename Service>
const Service& used(const Service* service) {
  if (service == nullptr) throw BadMessage("a service is used that was not looked up");
  return *service;
}

}  // namespace berth::isolation
