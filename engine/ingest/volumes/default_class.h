#pragma once

// The admission plugin DefaultStorageClass of an API server.

#include <map>
#include <string>

#include "engine/model/objects/volume_objects.h"

namespace berth::ingest {

// Knows the default classes of a cluster. One thread at a time.
class DefaultClass {
 public:
  // Adds a class, or replaces the one of its name; objects of other kinds are ignored.
  void put(const model::VolumeObject& object);
  void remove(const model::VolumeObject& object);

  // Gives a claim without a class the default one: of several the newest, of equally old ones the
  // first by name. Without a default class the claim stays as it is.
  void admit(model::PersistentVolumeClaim& claim) const;

 private:
  std::map<std::string, int64_t> created_at_;  // of the default classes
};

}  // namespace berth::ingest
