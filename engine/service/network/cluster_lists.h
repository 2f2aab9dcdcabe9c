#pragma once

// Lists of the nodes and the pods at the server, taken one after the other, for a comparison with
// the cluster that the core has.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/kube/http/limited_http.h"
#include "engine/kube/loop.h"
#include "engine/kube/reflector/listing.h"
#include "engine/service/loop/inbox.h"

namespace berth::service {

// One thread, the loop's.
class ClusterLists {
 public:
  using OnListed = std::function<void(Listed)>;

  // Both outlive it. `on_listed` gets what came.
  ClusterLists(kube::LimitedHttp& http, kube::Loop& loop, OnListed on_listed)
      : http_(http), loop_(loop), on_listed_(std::move(on_listed)) {}
  ClusterLists(const ClusterLists&) = delete;
  ClusterLists& operator=(const ClusterLists&) = delete;
  ~ClusterLists() { loop_.cancel(timer_); }

  // Lists after that wait. To be called again after the former lists came.
  void list(Time wait);

 private:
  void list_nodes();
  void list_pods();
  void end(std::string fault);

  kube::LimitedHttp& http_;
  kube::Loop& loop_;
  const OnListed on_listed_;
  std::optional<kube::Listing> listing_;
  Listed listed_;       // so far
  uint64_t timer_ = 0;  // until it begins
};

}  // namespace berth::service
