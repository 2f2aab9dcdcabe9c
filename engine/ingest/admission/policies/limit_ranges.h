#pragma once

// Applies LimitRanges to new pods and claims. Source: the admission plugin LimitRanger. Internal to
// this module.

#include <map>
#include <string>
#include <vector>

#include "engine/ingest/admission/policies/policies.h"
#include "engine/model/objects/objects.h"
#include "engine/model/objects/volume_objects.h"

namespace berth::ingest {

// The LimitRanges of a cluster. One thread at a time.
class LimitRanges {
 public:
  // Adds a range, or replaces the one of its name.
  void put(const LimitRange& range);
  void remove(const std::string& namespace_name, const std::string& name);

  // Gives the pod's containers the requests and limits that they lack: each of the first range, by
  // name, that has it.
  void apply_defaults(model::Pod& pod);
  // The rules that the object breaks, in the API server's words, each once. They are those of one
  // range: the first one by name that the object breaks.
  std::vector<std::string> broken(const model::Pod& pod);
  std::vector<std::string> broken(const model::PersistentVolumeClaim& claim);

 private:
  struct OfNamespace {
    std::map<std::string, LimitRange> ranges;
    // All of them in one, so that what breaks none is compared once; made when it is needed.
    LimitRange all;
    bool made = false;
  };
  OfNamespace* find(const std::string& namespace_name);
  template <typename Broken>
  std::vector<std::string> first_broken(const std::string& namespace_name, Broken&& broken);

  std::map<std::string, OfNamespace> namespaces_;
};

}  // namespace berth::ingest
