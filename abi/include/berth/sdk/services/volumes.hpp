#pragma once

// The volumes service (berth/abi/volumes.h) as a value. Objects are valid until the call of the
// plugin's function ends. [cycle]

#include <cstdint>

#include "berth/abi/volumes.h"
#include "berth/sdk/host.hpp"

namespace berth::sdk {

// The claim as pod.claims and node.claims list it.
inline uint64_t key_of(const berth_claim& claim) {
  return uint64_t{claim.namespace_name} << 32 | claim.name;
}

// String id of the label's value; 0: the volume lacks it.
inline uint32_t label_of(const berth_volume& volume, uint32_t key) {
  for (uint32_t i = 0; i < volume.label_count; ++i)
    if (volume.labels[2 * i] == key) return volume.labels[2 * i + 1];
  return 0;
}

class Volumes : Service<berth_volumes_service> {
 public:
  Volumes() = default;
  explicit Volumes(Host host) : Service(host, BERTH_VOLUMES_SERVICE) {}

  uint64_t version() const { return table_->version(host_); }
  // `key`: an element of pod.claims and node.claims. Null: there is no such object.
  const berth_claim* claim(uint64_t key) const {
    return table_->claim(host_, static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key));
  }
  const berth_volume* volume(uint32_t name) const { return table_->volume(host_, name); }
  const berth_storage_class* storage_class(uint32_t name) const {
    return table_->storage_class(host_, name);
  }
  const berth_csi_driver* csi_driver(uint32_t name) const {
    return table_->csi_driver(host_, name);
  }
  // Call visit(const OBJECT&) for each object of a kind.
  template <class Visit>
  void each_claim(Visit&& visit) const {
    each(table_->next_claim, visit);
  }
  template <class Visit>
  void each_volume(Visit&& visit) const {
    each(table_->next_volume, visit);
  }
  template <class Visit>
  void each_csi_node(Visit&& visit) const {
    each(table_->next_csi_node, visit);
  }
  template <class Visit>
  void each_capacity(Visit&& visit) const {
    each(table_->next_capacity, visit);
  }
  template <class Visit>
  void each_attachment(Visit&& visit) const {
    each(table_->next_attachment, visit);
  }
  bool selects(const berth_claim& claim, const berth_volume& volume) const {
    return table_->selects(host_, &claim, &volume) != 0;
  }
  bool node_matches(uint32_t selector, uint32_t node_name) const {
    return table_->node_matches(host_, selector, node_name) != 0;
  }
  // `pod`: pod.handle.
  bool assume_volume(uint64_t pod, uint32_t volume, const berth_claim& claim) const {
    return table_->assume_volume(host_, pod, volume, &claim) == BERTH_SUCCESS;
  }
  bool assume_claim(uint64_t pod, uint64_t key, uint32_t node_name) const {
    return table_->assume_claim(host_, pod, static_cast<uint32_t>(key >> 32),
                                static_cast<uint32_t>(key), node_name) == BERTH_SUCCESS;
  }
  void forget_volume(uint64_t pod, uint32_t volume) const {
    table_->forget_volume(host_, pod, volume);
  }
  void forget_claim(uint64_t pod, uint64_t key) const {
    table_->forget_claim(host_, pod, static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key));
  }
  bool write_volume(uint64_t pod, uint32_t volume, const berth_claim& claim) const {
    return table_->write_volume(host_, pod, volume, &claim) == BERTH_SUCCESS;
  }
  bool write_claim(uint64_t pod, uint64_t key, uint32_t node_name) const {
    return table_->write_claim(host_, pod, static_cast<uint32_t>(key >> 32),
                               static_cast<uint32_t>(key), node_name) == BERTH_SUCCESS;
  }
  const berth_claim* written_claim(uint64_t key) const {
    return table_->written_claim(host_, static_cast<uint32_t>(key >> 32),
                                 static_cast<uint32_t>(key));
  }
  const berth_volume* written_volume(uint32_t name) const {
    return table_->written_volume(host_, name);
  }

 private:
  template <class Object, class Visit>
  void each(const Object* (*next)(const berth_host*, const Object*), Visit&& visit) const {
    for (const Object* at = next(host_, nullptr); at != nullptr; at = next(host_, at)) visit(*at);
  }
};

}  // namespace berth::sdk
