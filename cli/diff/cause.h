#pragma once

// The rule by which two decisions about one pod in one state of the cluster differ.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/framework/decision/decide.h"
#include "engine/output/pod_result.h"

namespace berth::cli {

// The two settings that are compared; indices of tables.
enum class Side : uint8_t { kA, kB };
inline constexpr std::array<const char*, 2> kSideNames = {"A", "B"};

struct Cause {
  enum class Kind : uint8_t {
    kProfile,      // one of the settings has no profile for the pod
    kPreEnqueue,   // a plugin keeps the pod out of the queue
    kPreFilter,    // a plugin refuses the pod, or narrows the search
    kFilter,       // a plugin refuses a node that the other setting takes
    kExtender,     // an extender refuses it, or scores differently
    kPercentage,   // one search ended before the node that the other one takes
    kScore,        // a plugin prefers one node to the other by another margin
    kTie,          // both nodes are equally good: the draw decides, or the order of names
    kPostFilter,   // other pods are evicted, or another node is nominated
    kAfterChoice,  // Reserve, Permit, PreBind or the binding fails on the node that was chosen
    kError,        // a plugin fails
    kQueue,        // pods are tried in another order, or at other times
    kFollows,      // the cluster, or the queue, was different already
    kNotRecorded   // results of recorded runs do not tell
  };

  Kind kind = Kind::kNotRecorded;
  std::string plugin;  // empty: none has part in it
  std::string why;     // one line, with names of nodes
  // The node that B takes in the cluster of A; its own run may have ended elsewhere. Empty: none.
  std::string taken{};
  // False: recorded runs show this difference, and the clusters may have been different before.
  bool exact = true;
  // The scores of the node of A, then of that of B, as each setting gives them in the same state.
  std::array<std::vector<output::NodeScores>, 2> scores{};
};

// "Score", "tie", "follows": stable names for programs.
std::string_view kind_name(Cause::Kind kind);
// For people, in front of the pods that have it in common: "score NAME".
std::string cause_name(const Cause& cause);

// One of the two decisions, and who can be asked for its details.
struct Asked {
  framework::Decider& decider;
  const framework::Decision& decision;
};

// The first rule, in the order of a decision and of A's profile, that answers differently. Nothing:
// both take the same node, or both take none and nominate and evict the same. Precondition: both
// decisions are about one request, and the model was not modified since.
std::optional<Cause> first_rule(const model::Cluster& cluster, const Asked& a, const Asked& b);

// The first plugin whose weighted scores put another distance between the two nodes; the draw, if
// there is none. Scores of A, then of B, each of the node of A and of that of B.
Cause deciding_score(const std::array<std::vector<output::NodeScores>, 2>& scores);

}  // namespace berth::cli
