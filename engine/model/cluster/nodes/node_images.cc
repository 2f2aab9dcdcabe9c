#include "engine/model/cluster/nodes/node_images.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::model {

// An image that is listed twice counts once. In kube-scheduler's cache the first entry makes the
// state, and in its snapshot of objects the last entry is the one that is left.
void NodeImages::take(NodeValues& values, const Node& object) {
  boost::unordered_flat_map<uint32_t, size_t> places;  // in the lists, by code
  for (const NodeImage& image : object.images)
    for (const std::string& name : image.names) {
      const uint32_t code = images_.code(name);
      const auto [at, fresh] = places.try_emplace(code, values.images.size());
      if (fresh) {
        values.images.push_back(code);
        values.image_sizes.push_back(image.size_bytes);
      } else if (rule_ == ImageRule::kReported) {
        values.image_sizes[at->second] = image.size_bytes;
      }
    }
}

// Counts only the images that the node gains or loses, so that counts change only where they
// differ. An image that it keeps is reported again: if no other node has it, its size is that of
// the new object.
void NodeImages::count(const NodeValues& before, const NodeValues& after) {
  any_changed_ |= before.images != after.images || before.image_sizes != after.image_sizes;
  if (before.images == after.images) {
    for (size_t i = 0; i < after.images.size(); ++i)
      images_.report_again(after.images[i], after.image_sizes[i]);
    return;
  }
  std::vector<uint32_t> had = before.images, has = after.images;
  std::sort(had.begin(), had.end());
  std::sort(has.begin(), has.end());
  const auto among = [](const std::vector<uint32_t>& sorted, uint32_t image) {
    return std::binary_search(sorted.begin(), sorted.end(), image);
  };
  for (const uint32_t image : before.images)
    if (!among(has, image)) images_.remove_node(image);
  for (size_t i = 0; i < after.images.size(); ++i) {
    const uint32_t image = after.images[i];
    if (among(had, image)) {
      images_.report_again(image, after.image_sizes[i]);
    } else {
      images_.add_node(image, after.image_sizes[i]);
    }
  }
}

void NodeImages::put(Slot slot, KnownNode& node, bool differ) {
  if (differ) copy(node);
  fresh_[slot] = node.images.empty() ? 0 : 1;
  touch(slot);
}

void NodeImages::put_again(Slot slot, const NodeValues& values) {
  for (size_t i = 0; i < values.images.size(); ++i)
    images_.report_again(values.images[i], values.image_sizes[i]);
  touch(slot);
}

void NodeImages::remove(Slot slot, KnownNode& node) {
  count(node, {});
  for (const uint32_t image : node.images) images_.release(image);
  node.images.clear();
  node.image_sizes.clear();
  copy(node);
  fresh_[slot] = 0;
}

// False if the states are what they were.
bool NodeImages::copy(KnownNode& node) const {
  bool differs = node.image_state_sizes.size() != node.images.size();
  node.image_state_sizes.resize(node.images.size());
  node.image_state_nodes.resize(node.images.size());
  const auto put = [&](int64_t& to, int64_t value) {
    differs |= to != value;
    to = value;
  };
  for (size_t i = 0; i < node.images.size(); ++i) {
    const bool own = rule_ == ImageRule::kReported;
    put(node.image_state_sizes[i], own ? node.image_sizes[i] : images_.bytes(node.images[i]));
    put(node.image_state_nodes[i], images_.node_count(node.images[i]));
  }
  return differs;
}

void NodeImages::follow(std::vector<KnownNode>& nodes, const RowOrder& order, ChangeLog& log) {
  if (rule_ == ImageRule::kReported && any_changed_)
    for (Slot slot = 0; slot < nodes.size(); ++slot) touch(slot);
  any_changed_ = false;
  for (const Slot slot : touched_) {
    KnownNode& node = nodes[slot];
    fresh_[slot] = node.images.empty() ? 0 : 1;
    const Row row = order.row_of(slot);
    if (!copy(node) || row == kNoRow) continue;
    if (sizes_column_ != nullptr) sizes_column_->put_list<int64_t>(row, node.image_state_sizes);
    if (nodes_column_ != nullptr) nodes_column_->put_list<int64_t>(row, node.image_state_nodes);
    log.append(Table::kNodes, row, change::kImages);
  }
  touched_.clear();
}

void NodeImages::use(const ColumnInfo& info, Column& column) {
  if (info.attribute == Attribute::kNodeImageStateSizes) sizes_column_ = &column;
  if (info.attribute == Attribute::kNodeImageStateNodes) nodes_column_ = &column;
}

}  // namespace berth::model
