#include "engine/ingest/conversion/created.h"

#include <deque>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/text/number_text.h"
#include "engine/ingest/watch/watch_stream.h"
#include "engine/ingest/workloads/pod_names.h"

namespace berth::ingest {

// Of an object that is deleted, and of a pod that has finished, the name counts.
Change Created::created(Change change) const {
  if (!conversion_.admission || change.operation == model::Operation::kDeleted) return change;
  if (auto* pod = std::get_if<TemplatePod>(&change.object)) {
    if (pod->uid.empty() && pod->spec != nullptr)
      pod->uid = made_uid("Pod", pod->namespace_name, pod->name);
  } else if (auto* object = std::get_if<model::VolumeObject>(&change.object)) {
    auto* claim = std::get_if<model::PersistentVolumeClaim>(object);
    if (claim != nullptr && claim->uid.empty())
      claim->uid = made_uid("PersistentVolumeClaim", claim->namespace_name, claim->name);
  }
  return change;
}

void Created::note(std::string_view /*text*/) { conversion_.dropped.add("notes of a stream"); }

void Created::cluster(std::span<const Change> objects) {
  std::vector<Change> out;
  for (const Change& change : objects) {
    const auto* pod = std::get_if<TemplatePod>(&change.object);
    if (takes_events_ && pod != nullptr && pod->node_name.empty() && !pod->finished() &&
        !pod->terminating) {
      // As a line it would be work.
      conversion_.dropped.add("pods of the cluster that wait for a node");
    } else {
      out.push_back(created(change));
    }
  }
  to_.cluster(out);
}

void Created::events(std::span<const Change> changes) {
  std::vector<Change> out;
  for (const Change& change : changes) {
    if (takes_events_ || change.operation == model::Operation::kAdded) {
      out.push_back(created(change));
    } else {
      ++events_;
    }
  }
  to_.events(out);
}

void Created::pods(const PodBatch& pods) {
  ++batches_;
  if (pods.size() > WatchStream::kPodsTogether) ++cut_batches_;
  PodBatch out = pods;
  out.uids.resize(pods.size());
  std::deque<std::string> made;  // which keeps its texts in place
  for (size_t i = 0; i < pods.size(); ++i) {
    if (!out.uids[i].empty()) continue;
    if (conversion_.admission) {
      out.uids[i] = made.emplace_back(made_uid("Pod", out.namespace_of(i), out.names[i]));
    } else {
      ++fresh_pods_;
    }
  }
  to_.pods(out);
}

void Created::end() {
  if (events_ != 0)
    conversion_.faults.report(
        Error(grouped(events_) +
              " events change or delete objects and are left out, because files of objects have no "
              "events: --to jsonl and --to frames keep them"));
  if (takes_events_ && cut_batches_ != 0)
    conversion_.notes.push_back(grouped(cut_batches_) + " batches have more than " +
                                grouped(WatchStream::kPodsTogether) +
                                " pods, and JSON lines arrive in batches of so many");
  if (!takes_events_ && batches_ > 1)
    conversion_.notes.push_back("the pods came in " + grouped(batches_) +
                                " batches, and arrive together in the new file");
  if (fresh_pods_ != 0)
    conversion_.notes.push_back(
        "pods without a UID: " + grouped(fresh_pods_) +
        "; `berth run` admits them when it reads the file, unless it has --admission off");
  to_.end();
}

}  // namespace berth::ingest
