// The images of nodes and their states.

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/model/cluster/node_table.h"

namespace berth::model {

// An image that is listed twice counts once. In kube-scheduler's cache the first entry makes the
// state, and in its snapshot of objects the last entry is the one that is left.
void NodeTable::take_images(Values& values, const model::Node& object) {
  boost::unordered_flat_map<uint32_t, size_t> places;  // in the lists, by code
  for (const NodeImage& image : object.images)
    for (const std::string& name : image.names) {
      const uint32_t code = sources_.images.code(name);
      const auto [at, fresh] = places.try_emplace(code, values.images.size());
      if (fresh) {
        values.images.push_back(code);
        values.image_sizes.push_back(image.size_bytes);
      } else if (image_rule_ == ImageRule::kReported) {
        values.image_sizes[at->second] = image.size_bytes;
      }
    }
}

// Counts only the images that the node gains or loses, so that counts change only where they
// differ. An image that it keeps is reported again: if no other node has it, its size is that of
// the new object.
void NodeTable::count_images(const Node& before, const Values& after) {
  any_image_changed_ |= before.images != after.images || before.image_sizes != after.image_sizes;
  if (before.images == after.images) {
    for (size_t i = 0; i < after.images.size(); ++i)
      sources_.images.report_again(after.images[i], after.image_sizes[i]);
    return;
  }
  std::vector<uint32_t> had = before.images, has = after.images;
  std::sort(had.begin(), had.end());
  std::sort(has.begin(), has.end());
  const auto among = [](const std::vector<uint32_t>& sorted, uint32_t image) {
    return std::binary_search(sorted.begin(), sorted.end(), image);
  };
  for (const uint32_t image : before.images)
    if (!among(has, image)) sources_.images.remove_node(image);
  for (size_t i = 0; i < after.images.size(); ++i) {
    const uint32_t image = after.images[i];
    if (among(had, image)) {
      sources_.images.report_again(image, after.image_sizes[i]);
    } else {
      sources_.images.add_node(image, after.image_sizes[i]);
    }
  }
}

void NodeTable::put_again(Slot slot) {
  Node& node = nodes_[slot];
  for (size_t i = 0; i < node.images.size(); ++i)
    sources_.images.report_again(node.images[i], node.image_sizes[i]);
  touch(slot);
}

// False if the states are what they were.
bool NodeTable::copy_images(Node& node) {
  bool differs = node.image_state_sizes.size() != node.images.size();
  node.image_state_sizes.resize(node.images.size());
  node.image_state_nodes.resize(node.images.size());
  const auto put = [&](int64_t& to, int64_t value) {
    differs |= to != value;
    to = value;
  };
  for (size_t i = 0; i < node.images.size(); ++i) {
    const bool own = image_rule_ == ImageRule::kReported;
    put(node.image_state_sizes[i],
        own ? node.image_sizes[i] : sources_.images.bytes(node.images[i]));
    put(node.image_state_nodes[i], sources_.images.node_count(node.images[i]));
  }
  return differs;
}

void NodeTable::follow_images() {
  if (image_rule_ == ImageRule::kReported && any_image_changed_)
    for (Slot slot = 0; slot < slots(); ++slot) touch(slot);
  any_image_changed_ = false;
  for (const Slot slot : touched_) {
    Node& node = nodes_[slot];
    images_fresh_[slot] = node.images.empty() ? 0 : 1;
    const Row row = row_of(slot);
    if (!copy_images(node) || row == kNoRow) continue;
    if (image_sizes_column_ != nullptr)
      image_sizes_column_->put_list<int64_t>(row, node.image_state_sizes);
    if (image_nodes_column_ != nullptr)
      image_nodes_column_->put_list<int64_t>(row, node.image_state_nodes);
    log_.append(Table::kNodes, row, change::kImages);
  }
  touched_.clear();
}

}  // namespace berth::model
