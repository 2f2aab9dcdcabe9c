#pragma once

// The load of the soak test: Deployments whose pods are added, scheduled and deleted, as the events
// of a watch, one JSON object a line. A Deployment has one kind, which says what it brings that no
// Deployment before it had, so that memory that grows can be traced to one kind of object.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace berth::soak {

enum class Kind : uint8_t {
  kRecreated,     // nothing: the names of pods deleted before
  kNames,         // names of pods, as all kinds below
  kLabels,        // labels, other ones for each pod
  kRequests,      // amounts of memory
  kOwners,        // a ReplicaSet and a Service with selectors
  kAntiAffinity,  // a required term that selects labels of its own
  kAffinity,      // a preferred term that selects labels of its own
  kSpread,        // constraints that select labels of its own
  kNodeAffinity,  // a value in a preferred term
  kTolerations,   // a tolerated key
  kImages,        // the image's name
  kNamespaces,    // the namespace
  kNodes,         // a node, in place of the oldest one
  kGated,         // pods with a scheduling gate, deleted without being scheduled
  kRefused,       // pods that fit no node, deleted without being scheduled
};

// All kinds, in the order above.
std::vector<Kind> all_kinds();

// The kind's name on the command line, such as "anti-affinity".
std::string_view name_of(Kind kind);

// The kind of a name. Throws Error, which lists the names, if there is none.
Kind kind_of(std::string_view name);

struct Shape {
  uint64_t nodes = 1000;
  uint64_t live = 5000;     // pods that are there at a time
  uint64_t replicas = 10;   // of a Deployment
  std::vector<Kind> kinds;  // of Deployments, in turn; not empty
};

// Numbers of pods added, by their expected outcome; `deleted` ones never had a node.
struct Expected {
  uint64_t scheduled = 0, gated = 0, refused = 0, deleted = 0;
};

class Load {
 public:
  explicit Load(Shape shape) : shape_(std::move(shape)) {}

  // Appends the events that add the nodes. Requires: nothing was appended yet.
  void begin(std::string& lines);

  // Appends the events of the next Deployment, and those that delete the oldest ones until no more
  // than `live` pods are there.
  void next(std::string& lines);

  uint64_t pods() const { return pods_; }  // added so far
  const Expected& expected() const { return expected_; }

 private:
  struct Deployment {
    uint64_t number = 0;
    Kind kind = Kind::kNames;
  };

  Deployment make_next();
  void add(const Deployment& deployment, std::string& lines);
  void remove(const Deployment& deployment, std::string& lines);
  uint64_t& outcome_of(Kind kind);
  void replace_node(std::string& lines);

  Shape shape_;
  std::deque<Deployment> there_;
  uint64_t deployments_ = 0, pods_ = 0, replaced_nodes_ = 0;
  Expected expected_;
};

}  // namespace berth::soak
