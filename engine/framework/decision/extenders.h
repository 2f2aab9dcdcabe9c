#pragma once

// Extenders: servers outside of the process that take part in decisions. The decision knows this
// interface; who implements it talks to the servers.
//
// All functions are called on the thread that owns the model, between two changes of the model, and
// return when all servers have answered or failed. What a server said was checked: rows exist,
// victims are pods of their node. A text names the extender that it is about.
//
// Source: kube-scheduler framework/extender.go, schedule_one.go findNodesThatPassExtenders,
// prioritizeNodes, extendersBinding; preemption.go callExtenders.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/cluster/cluster.h"

namespace berth::framework {

// The plugin name under which refusals by extenders are counted and shown.
inline constexpr std::string_view kExtenderPlugin = "Extender";

struct ExtenderFilter {
  // A refusal of a node, which need not be among those asked about, or exist.
  struct Refused {
    std::string node;
    uint8_t code = 0;  // BERTH_UNSCHEDULABLE or BERTH_UNSCHEDULABLE_AND_UNRESOLVABLE
    std::string text;
  };

  // That pass, in the order of the last answer. With objects_alone, rows that were not asked about
  // may be among them, and nodes that were put into the cluster behind all rows.
  std::vector<model::Row> rows;
  std::vector<Refused> refused;  // of several for one node the last counts
  // An extender answered with objects: scores see these, without the pods and images of the nodes.
  bool objects_alone = false;
  std::string error;  // not empty: the search failed
};

// The amounts that one extender adds to totals. Rows may occur several times.
struct ExtenderScores {
  std::string extender;
  std::vector<std::pair<model::Row, int64_t>> weighted;
};

struct ExtenderVictims {
  model::Row row = 0;
  std::vector<model::PodId> victims;  // in the order in which they are sent, or were answered
  int64_t violations = 0;
};

struct ExtenderPreemption {
  std::vector<ExtenderVictims> candidates;
  std::string error;  // not empty: the preemption failed
};

struct ExtenderBinding {
  std::string extender;  // that is responsible for the pod; empty: none is
  std::string error;     // of its binding; empty: the pod is bound
};

class Extenders {
 public:
  virtual ~Extenders() = default;

  // True if some extender has the step, whatever the pod.
  virtual bool filters() const = 0;
  virtual bool prioritizes() const = 0;
  virtual bool preempts() const = 0;
  virtual bool binds() const = 0;
  // True if an extender that takes part in the pod's decisions has no step to prioritise. It counts
  // as one that gives each node 0 where a rule asks which nodes extenders scored.
  virtual bool scores_all(const model::PodRecord& pod) const {
    static_cast<void>(pod);
    return false;
  }

  // Asks one after the other about the rows that the ones before left. `rows` is not empty. May put
  // nodes into the cluster, which end_decision() removes.
  virtual ExtenderFilter filter(const model::PodRecord& pod, std::vector<model::Row> rows) = 0;
  virtual void end_decision() {}
  // Asks all at once. One that fails has no scores.
  virtual std::vector<ExtenderScores> prioritize(const model::PodRecord& pod,
                                                 const std::vector<model::Row>& rows) = 0;
  // Asks one after the other; each gets the candidates that the one before left.
  virtual ExtenderPreemption preempt(const model::PodRecord& pod,
                                     std::vector<ExtenderVictims> candidates) = 0;
  virtual ExtenderBinding bind(const model::PodRecord& pod, std::string_view node) = 0;
};

}  // namespace berth::framework
