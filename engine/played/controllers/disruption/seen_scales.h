#pragma once

// Scales of workloads: what their objects ask for, or, of those whose objects are not there, the
// most pods that each had at one time.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
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

  // A workload's object is there: its pods name this owner, and the owners that were told of it
  // before. `object`: its kind and name.
  void know(const std::string& object, const model::Controller& owner,
            std::string_view namespace_name, int32_t replicas);
  void forget(const std::string& object);

  std::variant<const controllers::Workload*, std::string> of_owner(
      const model::Controller& owner, std::string_view namespace_name) const override;

 private:
  struct Seen {
    controllers::Workload workload;
    int32_t pods = 0;
  };
  static std::string key(const model::Controller& owner, std::string_view namespace_name);

  std::map<std::string, Seen, std::less<>> seen_;
  std::map<std::string, std::set<std::string>> objects_;  // the keys of their pods' owners
  std::map<std::string, controllers::Workload> known_;    // by key of the owner
};

}  // namespace berth::played
