#pragma once

// Explains the decision about one pod: for every node the verdict of every filter and the score of
// every plugin; for a refused node, the changes of the node that would make it feasible.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/host/calls/numbers.h"
#include "engine/model/objects/objects.h"
#include "engine/runtime/core.h"

namespace berth::explain {

// The plan of PostFilter plugins for a pod that no node takes. Nothing of it is carried out.
struct PostFilterPlan {
  struct Victim {
    std::string pod;  // namespace/name
    int32_t priority = 0;
  };
  struct Text {
    std::string plugin;
    std::string text;
  };
  std::string not_asked;        // why a run asks no plugin; empty: they were asked
  std::string plugin;           // that nominates the pod; empty: none does
  std::string node;             // the nominated one
  std::vector<Victim> victims;  // pods of the node to evict, in this order
  std::vector<Text> texts;      // of plugins that do not help; the event ends with them
  bool draws = false;           // several nodes were in question; a run may draw among equal ones
};

struct Explanation {
  struct Filter {
    std::string plugin;
    bool skipped = false;              // its PreFilter returned SKIP for this pod
    uint8_t code = 0;                  // berth_code
    std::vector<std::string> reasons;  // of a refusal, or the text of an error
    bool counting_nominated = false;   // refused only with the nominated pods of the node added
    bool reported = false;             // this is the refusal that kube-scheduler reports
    std::vector<host::Item> numbers;   // behind a refusal, as the plugin tells them
  };
  struct Score {
    std::optional<int64_t> raw;  // none: the plugin does not score the node
    int64_t normalised = 0;
    int64_t weighted = 0;
    std::vector<host::Item> numbers;  // behind the raw score, as the plugin tells them
  };
  struct Change {
    std::string column;  // as in abi/columns.md
    std::string words;
    std::optional<int64_t> missing;  // in the column's unit; none: it is no amount
  };
  struct Node {
    std::string name;
    bool feasible = false;
    bool won = false;
    bool searched = false;        // the scheduler filtered it for this pod
    std::string outside;          // the text for a node that PreFilter left out of the search
    std::vector<Filter> filters;  // none if PreFilter refused the pod
    std::vector<Score> scores;    // in step with score_plugins; none if not scored
    int64_t total = 0;            // if it was scored
    std::optional<std::vector<Change>> change;  // of a refused node; none: no change was found
    std::optional<size_t> group;                // of a refused node; none: it was not filtered
  };
  // Nodes with equal refusals: the same filters give the same codes and reasons.
  struct Group {
    std::vector<size_t> nodes;  // indices of `nodes`, ascending
  };
  struct ScorePlugin {
    std::string plugin;
    int64_t weight = 0;
    bool skipped = false;  // its PreScore returned SKIP for this pod
  };
  struct PreFilter {
    std::string plugin;  // empty: no node is left by several plugins together
    uint8_t code = 0;
    std::vector<std::string> reasons;
  };
  // A plugin that refused or gates the pod. The queue tries the pod again after such an event: in
  // any case, or if the plugin's hint finds that it may help.
  struct Waker {
    struct Event {
      std::string name;     // kube-scheduler's, such as "Node/Add"; "*/All" is every event
      bool always = false;  // the plugin is not asked
    };
    std::string plugin;
    std::vector<Event> events;  // none: no event wakes the pod
  };

  using PostFilter = PostFilterPlan;

  // A plugin that a run asks once the pod has its node, and that may refuse or hold it then. It is
  // not asked here, because it would take the node for the pod.
  struct NotAsked {
    std::string plugin;
    std::vector<std::string> points;  // of Reserve, Permit and PreBind
  };

  std::string pod;  // namespace/name
  std::string profile;
  std::string kube_version;  // whose rules decided: "1.34"
  runtime::PodOutcome outcome = runtime::PodOutcome::kError;
  std::string node;                       // of a pod that is scheduled
  std::string why;                        // the reason why this node was picked
  std::string message;                    // of a pod that is not scheduled: the text of its event
  std::string gated_by;                   // the PreEnqueue plugin that refused the pod
  std::optional<PreFilter> pre_filter;    // set if PreFilter refused the pod
  std::optional<PostFilter> post_filter;  // of a pod that is unschedulable
  std::vector<NotAsked> not_asked;        // of a pod that is scheduled
  std::vector<Waker> wakers;              // of a pod that is unschedulable or gated
  bool scored = false;
  std::vector<ScorePlugin> score_plugins;
  // The winner, feasible ones by total and name, then the others, the closest to feasible first: by
  // the number of refusals, the number of changes that help, the amounts that are missing, and
  // name. Nodes that PreFilter left out come last.
  std::vector<Node> nodes;
  std::vector<Group> groups;  // of refused nodes, by the closest node of each
};

// Decides the pod on the core's cluster and collects the details. Modifies only the dictionaries of
// the cluster. Precondition: no pod of the cluster has its name; the core searches every node and
// does not assume pods.
Explanation explain(runtime::Core& core, const model::Pod& pod);

// The same for a pod that waits in the core: what would be decided about it now, by the core's own
// options. Nothing is carried out, counted or told, but for watches of decisions. Nothing: the pod
// does not wait for a node, or no profile serves it. To be called between steps, once the core is
// settled.
std::optional<Explanation> explain_waiting(runtime::Core& core, model::PodId pod);

// The part of the nodes that a text shows.
enum class Extent : uint8_t {
  kPage,  // the best nodes, the closest groups, and how many there are of each
  kAll,
};

// Has every node.
std::string to_json(const Explanation& explanation);
// Tables for a terminal.
std::string to_text(const Explanation& explanation, Extent extent = Extent::kPage);

}  // namespace berth::explain
