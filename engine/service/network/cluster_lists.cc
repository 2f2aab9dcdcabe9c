#include "engine/service/network/cluster_lists.h"

#include <utility>

#include "engine/base/assert.h"
#include "engine/kube/kinds.h"

namespace berth::service {

void ClusterLists::list(Time wait) {
  BERTH_ASSERT(timer_ == 0 && !listing_);
  listed_ = {};
  timer_ = loop_.after(wait, [this] {
    timer_ = 0;
    list_nodes();
  });
}

void ClusterLists::list_nodes() {
  listing_.emplace(*kube::find_served("Node"), http_, [this](kube::Listing::Result came) {
    if (!came.fault.empty()) return end(std::move(came.fault));
    listed_.nodes = std::move(came.objects);
    list_pods();
  });
}

void ClusterLists::list_pods() {
  listing_.emplace(*kube::find_served("Pod"), http_, [this](kube::Listing::Result came) {
    listed_.pods = std::move(came.objects);
    end(std::move(came.fault));
  });
}

void ClusterLists::end(std::string fault) {
  listing_.reset();
  listed_.fault = std::move(fault);
  on_listed_(std::exchange(listed_, {}));
}

}  // namespace berth::service
