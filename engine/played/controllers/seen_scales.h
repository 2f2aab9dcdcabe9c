#pragma once

// Scales of workloads whose objects are not there: the most pods that each had at one time.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/controllers/disruption/scales.h"

namespace berth::played {

// One thread.
class SeenScales final : public controllers::ScaleSource {
 public:
  // A pod more, or less, that does not terminate. What has no pod is forgotten.
  void add(const model::Controller& owner, std::string_view namespace_name);
  void remove(const model::Controller& owner, std::string_view namespace_name);

  std::variant<const controllers::Workload*, std::string> of_owner(
      const model::Controller& owner, std::string_view namespace_name) const override;

 private:
  struct Seen {
    controllers::Workload workload;
    int32_t pods = 0;
  };
  static std::string key(const model::Controller& owner, std::string_view namespace_name);

  std::map<std::string, Seen, std::less<>> seen_;
};

}  // namespace berth::played
