#pragma once

// Joins the parts of a client (engine/kube) to the owner of the core: what the server tells goes to
// the inbox, what the owner writes to the server.
//
//   start -> all lists came -> acquiring the lease -> leading -> lost
//                          \-> leading (without an election)
//   any -> finish: what was written is sent, the lease given back
//
// The functions of Outbox may be called on any one thread, and `bind` on another: what they take
// crosses over together, when send() is called.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/kube/http/http.h"
#include "engine/kube/http/limited_http.h"
#include "engine/kube/lease/elector.h"
#include "engine/kube/loop.h"
#include "engine/kube/reflector/reflectors.h"
#include "engine/kube/writes/writes.h"
#include "engine/service/loop/inbox.h"
#include "engine/service/loop/outbox.h"
#include "engine/service/network/client_metrics.h"
#include "engine/service/network/cluster_lists.h"
#include "engine/service/network/metered_http.h"
#include "engine/service/network/object_reads.h"

namespace berth::service {

struct LinkOptions {
  std::optional<kube::LeaseOptions> lease;  // nothing: this process leads when all lists came
  double qps = 50;                          // see LimitedHttp; events have one of their own
  int burst = 100;
  kube::WritesOptions writes;
  uint64_t seed = 0;  // of waits
  // Counts requests to the server, whose host it is, and tells who leads; outlives the link. Null:
  // nobody does.
  ClientMetrics* metrics = nullptr;
  std::string host{};
};

class ServerLink final : public Outbox, private kube::Sink {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Say = std::function<void(const std::string&)>;

  // `post` calls a function on the loop's thread, from any thread. `say` prints a message. All but
  // the options outlive the link.
  ServerLink(kube::Http& http, kube::Loop& loop, Post post, Say say, Inbox& inbox,
             const LinkOptions& options);
  ~ServerLink() override = default;
  ServerLink(const ServerLink&) = delete;
  ServerLink& operator=(const ServerLink&) = delete;

  // The owner's side.
  void bind(uint64_t number, kube::PodName pod, std::string node) override;
  void write(uint64_t number, kube::PodName pod, kube::StatusChange change) override;
  void evict(kube::Eviction victim, events::Event told) override;
  void put(model::VolumeObject object, std::string version) override;
  void record(events::Event event) override;
  void send() override;

  // The rest is called on the loop's thread.
  // `keep_whole`: pods and nodes are told as they came, too, for extenders and plugins.
  void start(bool keep_whole);
  // Lists nodes and pods after that wait; the inbox gets what came (Listed). To be called again
  // after that.
  void list(Time wait) { lists_.list(wait); }
  // No write is taken any more. `done` is called when all that were taken are answered and the
  // lease is given back, at the latest after `limit`.
  void finish(Time limit, std::function<void()> done);
  bool synced() const { return synced_; }
  // True if it holds the lease, or needs none.
  bool may_write() const { return leads_ && (!elector_ || elector_->leads()); }
  const kube::Writes& writes() const { return writes_; }
  // False: it holds a lease that expired some time ago.
  bool healthy() const { return !elector_ || elector_->healthy(kLeaseTolerance); }

 private:
  static constexpr Time kLeaseTolerance = std::chrono::seconds(20);  // as kube-scheduler's
  struct Binding {
    uint64_t number;
    kube::PodName pod;
    std::string node;
  };
  struct Status {
    uint64_t number;
    kube::PodName pod;
    kube::StatusChange change;
  };
  struct Evicting {
    kube::Eviction victim;
    events::Event told;
  };
  // The evictions for one pod.
  struct Preemption {
    size_t under_way = 0;
    bool failed = false;  // one of them
  };
  struct VolumeWrite {
    model::VolumeObject object;
    std::string version;
  };
  using Write = std::variant<Binding, Status, Evicting, VolumeWrite, events::Event>;

  void keep(Write write);
  void take(const Binding& binding);
  void take(Status& status);
  void take(Evicting& evicting);
  void take(VolumeWrite& write);
  void take(events::Event& event);
  kube::LimitedHttp::OnTurn on_turn();
  kube::WritesCalls calls();
  void status_written(uint64_t number, const std::string& error);
  void fill_versions(events::Event& event) const;
  void fill_version(events::EventObject& object) const;
  void evicted(uint64_t number, const kube::EvictionResult& result);
  void evictions_end(const events::EventObject& preemptor, bool failed);
  void volume_written(uint64_t number, const std::string& error);

  void take(const kube::ServedKind& kind, std::vector<kube::Watched> changes) override;
  void synced(const kube::ServedKind& kind) override;
  void note(const kube::ServedKind& kind, std::string text) override;
  void all_came();
  void lead();
  void set_leads(bool leads);

  std::optional<MeteredHttp> metered_;  // nothing: nobody counts
  kube::Http& http_;
  kube::Loop& loop_;
  const Post post_;
  const Say say_;
  Inbox& inbox_;
  const LinkOptions options_;
  kube::LimitedHttp limited_, limited_events_;
  ClusterLists lists_;
  ObjectReads reads_;                           // of volumes and claims that were not written
  std::optional<kube::Reflectors> reflectors_;  // from start() on
  std::optional<kube::LeaderElector> elector_;
  kube::Writes writes_;
  bool synced_ = false, leads_ = false;
  uint64_t numbers_ = 0;                             // of evictions and volumes
  std::map<uint64_t, model::VolumeObject> volumes_;  // writes under way, by number
  std::map<uint64_t, events::Event> evictions_;      // to be recorded, by number of the eviction
  std::map<std::string, Preemption> preemptions_;    // by UID of the pod that preempts

  Mutex mutex_;
  std::vector<Write> kept_ BERTH_GUARDED_BY(mutex_);  // until send()
};

}  // namespace berth::service
