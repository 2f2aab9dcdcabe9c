#pragma once

// Why a pod goes where it goes: for every node what every filter and every score said of it, and
// for a node that was refused, what would have to be different about it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/objects/objects.h"
#include "engine/runtime/core.h"

namespace berth::explain {

struct Explanation {
  struct Filter {
    std::string plugin;
    bool skipped = false;              // its PreFilter said that it has nothing to say of this pod
    uint8_t code = 0;                  // berth_code
    std::vector<std::string> reasons;  // of a refusal, or the text of an error
    bool counting_nominated = false;   // refused with the pods counted that are nominated here
    bool reported = false;             // the refusal that kube-scheduler reports
  };
  struct Score {
    std::optional<int64_t> raw;  // none: the plugin does not score the node
    int64_t normalised = 0;
    int64_t weighted = 0;
  };
  struct Change {
    std::string column;  // as in abi/columns.md
    std::string words;
  };
  struct Node {
    std::string name;
    bool feasible = false;
    bool won = false;
    bool searched = false;        // the scheduler looked at it for this pod
    std::string outside;          // the text for a node that PreFilter left out of the search
    std::vector<Filter> filters;  // none if PreFilter refused the pod
    std::vector<Score> scores;    // in step with score_plugins; none if not scored
    int64_t total = 0;            // if it was scored
    std::optional<std::vector<Change>> change;  // of a refused node; none: nothing known helps
  };
  struct ScorePlugin {
    std::string plugin;
    int64_t weight = 0;
    bool skipped = false;  // its PreScore said that it has nothing to say of this pod
  };
  struct PreFilter {
    std::string plugin;  // empty: several together left no node
    uint8_t code = 0;
    std::vector<std::string> reasons;
  };

  std::string pod;  // namespace/name
  std::string profile;
  runtime::PodOutcome outcome = runtime::PodOutcome::kError;
  std::string node;                     // of a pod that is scheduled
  std::string why;                      // this node
  std::string message;                  // why not, as the scheduler words it
  std::string gated_by;                 // the plugin
  std::optional<PreFilter> pre_filter;  // it refused the pod
  bool scored = false;
  std::vector<ScorePlugin> score_plugins;
  std::vector<Node> nodes;  // the winner, feasible ones by total and name, the others by name
};

// Decides the pod on the core's cluster. Precondition: no pod of the cluster has its name; the core
// searches every node and assumes nothing. Adds to the cluster's dictionaries and changes nothing
// else.
Explanation explain(runtime::Core& core, const model::Pod& pod);

std::string to_json(const Explanation& explanation);
// Tables for a terminal.
std::string to_text(const Explanation& explanation);

}  // namespace berth::explain
