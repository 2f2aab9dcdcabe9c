#pragma once

// A script of changes of a cluster: the document WhatIf of berth/v1, or the events of a watch.
// docs/what-if.md describes it.
//
//   const Script script = read_script("lose-a-zone.yaml");

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/time.h"
#include "engine/model/objects/objects.h"

namespace berth::cli {

enum class Verb : uint8_t {
  kCordon,
  kUncordon,
  kDrain,
  kRemove,
  kTaint,
  kUntaint,
  kLabel,
  kScale,
  kConfigure
};
std::string_view verb_name(Verb verb);  // "cordon"

// The nodes of a step: those of these names, or else those that the selector selects.
struct NodeChoice {
  std::vector<std::string> names;
  std::string selector_text;  // empty: names are given
  model::LabelSelector selector;
  Place place;  // of the names or the selector
};

struct Scaling {
  std::string kind, namespace_name, name;
  uint64_t replicas = 0;
  Place place;  // of the workload
};

// Settings of the second run. What is empty is as in the first one.
struct OtherConfiguration {
  std::string file;
  std::string version;  // of Kubernetes: "1.34"
  std::string gates;    // "NAME=true,..."
};

struct Step {
  enum class Begins : uint8_t {
    kTogether,  // with the step before it; the first one when the input stands still
    kAt,        // at `time` of the run's clock
    kAfter      // `time` after the step before it
  };

  Begins begins = Begins::kTogether;
  Time time{};
  Verb verb = Verb::kCordon;
  Place place;  // of the step
  // As the verb has them.
  NodeChoice nodes;
  std::string options;  // of kubectl drain
  model::Taint taint;   // of kUntaint: an empty effect is any
  model::StringMap labels;
  std::vector<std::string> without_labels;  // keys
  Scaling scaling;
  OtherConfiguration other;
};

struct Script {
  std::string file;
  std::vector<Step> steps;  // of a document
  std::string watch{};      // the events; empty: it is a document

  // The settings of a step `configure`; null: there is none.
  const OtherConfiguration* other() const;
};

// Throw Error, with all faults of the document or of the watch. Standard input for "-".
Script read_script(const std::string& path);
Script parse_script(std::string_view text, const std::string& name);

// For people: "drain node n1", "scale Deployment default/web to 3".
std::string step_text(const Step& step);

// The names of the kinds of workloads that can be scaled.
const std::vector<std::string>& scalable_kinds();

}  // namespace berth::cli
