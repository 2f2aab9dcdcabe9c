#pragma once

// Objects that control pods, and how many pods each is to have. Source: the finders of
// pkg/controller/disruption.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/model/objects/objects.h"

namespace berth::controllers {

// A kind that an API server knows.
struct ServedKind {
  std::string_view group, version, kind, resource;
  bool has_scale = false;  // it has a subresource scale
};

// An object of a kind with a scale.
struct Workload {
  std::string group, kind, namespace_name, name, uid;
  int32_t replicas = 0;
  std::optional<model::Controller> owner;  // what controls it, as a Deployment does its ReplicaSets
};

// Says what counts for a pod with an owner.
class ScaleSource {
 public:
  virtual ~ScaleSource() = default;

  // Null: there is no such object. A text: why it cannot be said. The object is there until the
  // source changes.
  virtual std::variant<const Workload*, std::string> of_owner(
      const model::Controller& owner, std::string_view namespace_name) const = 0;
};

// Those of an API server's objects. One thread.
class Scales final : public ScaleSource {
 public:
  // `served`: kinds of custom resources, besides those that every API server has. Their texts
  // outlive this.
  explicit Scales(std::vector<ServedKind> served = {}) : served_(std::move(served)) {}

  void put(Workload workload);  // replaces the one of its kind and name
  // Nothing happens if there is none.
  void remove(std::string_view group, std::string_view kind, std::string_view namespace_name,
              std::string_view name);
  const Workload* find(std::string_view group, std::string_view kind,
                       std::string_view namespace_name, std::string_view name) const;

  // The object itself, or the Deployment of a ReplicaSet.
  std::variant<const Workload*, std::string> of_owner(
      const model::Controller& owner, std::string_view namespace_name) const override;

 private:
  static std::string key(std::string_view group, std::string_view kind,
                         std::string_view namespace_name, std::string_view name);
  const ServedKind* served(std::string_view group, std::string_view version,
                           std::string_view kind) const;
  const Workload* same(std::string_view group, const model::Controller& owner,
                       std::string_view namespace_name) const;
  std::variant<const Workload*, std::string> of_replica_set(const Workload& set) const;

  std::vector<ServedKind> served_;
  std::map<std::string, Workload> workloads_;  // by key()
};

}  // namespace berth::controllers
