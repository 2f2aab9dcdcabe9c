#pragma once

// What a reader noticed about objects that it did not refuse, but that are not scheduled as their
// author may expect.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/model/objects/objects.h"

namespace berth::ingest {

struct Remarks {
  static constexpr size_t kExamples = 3;
  static constexpr size_t kMostFields = 100;  // of different paths are kept

  // Pods with something in common, counted, and the first of them as namespace/name.
  struct Pods {
    uint64_t count = 0;
    std::vector<std::string> examples;

    void add(const model::Pod& pod);
    void add(const Pods& more);
  };

  // A field that the API does not have.
  struct Field {
    std::string path;    // without indices, such as Pod.spec.containers[].resource
    uint64_t count = 0;  // how often it occurs
    Error first;         // the first occurrence: its place, and the name that may be meant
  };

  // Pods that wait for a node and name a persistent volume claim or have a template of one.
  Pods with_claims;
  // Pods that wait for a node and name resource claims.
  Pods with_resource_claims;
  // Pods that wait for a node and name a priority class, but whose priority was not filled in.
  Pods without_priority;

  std::vector<Field> unknown_fields;       // in the order of their first occurrences
  uint64_t unknown_field_occurrences = 0;  // of all paths, also of those that are not kept

  void add(const Remarks& more);
  void add_unknown_field(std::string path, Error first, uint64_t count = 1);
};

}  // namespace berth::ingest
