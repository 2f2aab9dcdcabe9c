#pragma once

// Counts what a stream cannot hold of the objects that are written to it.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/document/document.h"
#include "engine/ingest/objects/objects.h"

namespace berth::ingest {

// One thread.
class Dropped {
 public:
  // `admission`: pods are admitted, so what admission alone reads takes effect and is not dropped.
  // `workloads`: which objects are expanded to pods.
  Dropped(bool admission, Workloads workloads) : admission_(admission), workloads_(workloads) {}

  // From here on these objects are expanded to pods.
  void expand(Workloads workloads) { workloads_ = workloads; }
  // Counts the fields of an object that a stream does not hold. Of a value that is dropped as a
  // whole, only the topmost field is counted. Objects of kinds that no stream holds are counted by
  // kind.
  void inspect(document::Value object, std::string_view kind);
  // Counts something else that is lost.
  void add(std::string what, uint64_t count = 1) { counts_[std::move(what)] += count; }

  // By field path without indices, such as Pod.spec.containers[].env, or by what was added.
  const std::map<std::string, uint64_t>& counts() const { return counts_; }

 private:
  void walk(document::Value object, uint16_t node);
  void count(std::string_view field);

  struct Step {
    std::string_view name;
    bool array = false;
  };

  bool expands(document::Value object) const;

  bool admission_;
  Workloads workloads_;
  std::map<std::string, uint64_t> counts_;
  std::vector<Step> path_;
  std::string text_;  // of the path that is counted
};

}  // namespace berth::ingest
