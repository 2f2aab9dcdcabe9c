#pragma once

// Tables whose rows are shared values: taint lists and image names. Codes are dense from 0. A value
// keeps its code while it is retained, and until the next `collect`; the code is used again then.
// Nodes retain what they have, and templates their images.

#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/columns/catalog.h"
#include "engine/model/columns/column.h"
#include "engine/model/columns/reference_counts.h"
#include "engine/model/columns/strings.h"
#include "engine/model/objects/objects.h"

namespace berth::model {

// Distinct taint lists. Code 0 is the empty list. The order of taints is part of a list, because
// kube-scheduler names the first taint that is not tolerated. One thread.
class TaintSets {
 public:
  TaintSets(Arena& arena, Strings& strings, ChangeLog& log);

  // The code of a list, new or known. Appends new codes to the change log.
  uint32_t code(const std::vector<Taint>& taints);
  void retain(uint32_t code) { counts_.retain(code); }
  void release(uint32_t code) { counts_.release(code); }
  // Retires lists without references: they become empty. Precondition: nothing keeps answers by
  // code.
  void collect();
  // The list of a code. Requires: code < size().
  std::vector<Taint> taints(uint32_t code) const;
  uint32_t size() const { return static_cast<uint32_t>(keys_.count()); }
  // The keys, values or effects of all lists, one list of string ids per code. Requires: one of
  // kTaintKeys, kTaintValues and kTaintEffects.
  const Column& column(Attribute attribute) const;

 private:
  using Ids = std::array<std::vector<StringId>, 3>;  // keys, values, effects

  static std::string identity_of(const Ids& ids);
  void store(uint32_t code, const Ids& ids);

  Strings& strings_;
  ChangeLog& log_;
  Column keys_, values_, effects_;  // retain their strings
  boost::unordered_flat_map<std::string, uint32_t> codes_;
  std::vector<uint32_t> free_;
  ReferenceCounts counts_;
};

// The statement of a node's image states about an image that several nodes have.
enum class ImageRule : uint8_t {
  // As kube-scheduler's cache: the size is that of the node which reported the image first while
  // any node had it, and a node's states are copied when a decision follows an event about the node
  // or one of its pods (NodeImages::follow). Source: kube-scheduler backend/cache cache.go
  // addNodeImageStates, UpdateSnapshot.
  kCached,
  // As kube-scheduler's snapshot of a list of objects, from which single decisions are recorded:
  // the size is the node's own, and the number of nodes is that of the decision. A change of an
  // image costs a look at all nodes. Source: kube-scheduler backend/cache snapshot.go NewSnapshot.
  kReported,
};

// Images by normalised name, with the number of nodes that have each, from which scores derive how
// widely an image is spread, and the size that the first of these nodes reported. Images without
// references retire. One thread.
class Images {
 public:
  Images(Arena& arena, Strings& strings, ChangeLog& log)
      : strings_(strings), log_(log), nodes_(arena, BERTH_I64, false) {}

  // The code of a normalised image name, new or known.
  uint32_t code(std::string_view name);
  StringId name(uint32_t code) const { return names_[code]; }  // requires a retained code
  void retain(uint32_t image) { counts_.retain(image); }
  void release(uint32_t image) { counts_.release(image); }
  // Retires images without references. Precondition: nothing keeps answers by code.
  void collect();
  // Counts a node that has the image, or no longer has it. Appends to the change log. The first
  // node sets the size.
  void add_node(uint32_t image, int64_t bytes);
  void remove_node(uint32_t image) { count(image, -1); }
  // A node that has the image reports it again, with this size.
  void report_again(uint32_t image, int64_t bytes) {
    if (node_count(image) == 1) bytes_[image] = bytes;
  }
  int64_t node_count(uint32_t image) const { return nodes_.values<int64_t>()[image]; }
  int64_t bytes(uint32_t image) const { return bytes_[image]; }
  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }
  const Column& nodes() const { return nodes_; }  // I64 by code: number of nodes

 private:
  void count(uint32_t image, int64_t difference);

  Strings& strings_;
  ChangeLog& log_;
  Column nodes_;
  std::vector<int64_t> bytes_;   // by code
  std::vector<StringId> names_;  // by code; each is retained; 0: the code is free
  boost::unordered_flat_map<StringId, uint32_t> codes_;
  std::vector<uint32_t> free_;
  ReferenceCounts counts_;
};

// Adds ":latest" to a name without a tag, which is what such a name means to a container runtime.
// Source: kube-scheduler plugins/imagelocality normalizedImageName.
std::string normalised_image(std::string_view name);

}  // namespace berth::model
