#include "engine/framework/batches/batch.h"

#include <algorithm>

#include "engine/base/assert.h"

namespace berth::framework {

void ScoredNodes::clear() {
  for (const Node& node : nodes_) cluster_.strings().release(node.name);
  nodes_.clear();
  taken_ = 0;
}

void ScoredNodes::fill(std::span<const ScoredRow> rows, model::Row taken) {
  clear();
  const model::NodeTable& nodes = cluster_.nodes();
  nodes_.reserve(rows.size());
  for (const auto& [row, total] : rows) {
    const model::StringId name = nodes.node(nodes.slot_of(row)).name;
    cluster_.strings().retain(name);
    nodes_.push_back({total, name});
    if (row == taken) taken_ = name;
  }
  BERTH_ASSERT(rows.empty() || taken_ != 0);
}

bool ScoredNodes::before(const Node& a, const Node& b) const {
  if (a.total != b.total || ties_ != TieBreak::kName) return a.total > b.total;
  return cluster_.text(a.name) < cluster_.text(b.name);
}

// As Go's container/heap, for all that follows: equal nodes come in its order.
void ScoredNodes::sink(size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && before(nodes_[child + 1], nodes_[child])) ++child;
    if (!before(nodes_[child], nodes_[at])) return;
    std::swap(nodes_[at], nodes_[child]);
    at = child;
  }
}

void ScoredNodes::build() {
  for (size_t at = nodes_.size() / 2; at-- > 0;) sink(at, nodes_.size());
}

void ScoredNodes::remove_top() {
  std::swap(nodes_.front(), nodes_.back());
  sink(0, nodes_.size() - 1);
  cluster_.strings().release(nodes_.back().name);
  nodes_.pop_back();
}

// Most batches are never asked, so the heap waits for the first question. A node that was taken
// against the order, as a recorded draw has it, leaves before the heap is built.
void ScoredNodes::settle() {
  if (taken_ == 0) return;
  const std::vector<Node> before_heap = nodes_;
  build();
  if (nodes_.front().name == taken_) {
    remove_top();
  } else {
    nodes_ = before_heap;
    std::erase_if(nodes_, [&](const Node& node) { return node.name == taken_; });
    cluster_.strings().release(taken_);
    build();
  }
  taken_ = 0;
}

model::StringId ScoredNodes::top() {
  settle();
  BERTH_ASSERT(!nodes_.empty());
  return nodes_.front().name;
}

void ScoredNodes::pop() {
  settle();
  BERTH_ASSERT(!nodes_.empty());
  remove_top();
}

BatchMiss Batch::misses(const Turn& turn) const {
  if (others_.empty()) return BatchMiss::kEmpty;
  if (turn.cycle != cycle_ + 1) return BatchMiss::kSkipped;
  if (turn.signature != signature_) return BatchMiss::kOtherPod;
  return turn.now > made_at_ + kLongest ? BatchMiss::kExpired : BatchMiss::kNone;
}

void Batch::set_chosen(model::StringId name) {
  if (name != 0) cluster_.strings().retain(name);
  if (chosen_ != 0) cluster_.strings().release(chosen_);
  chosen_ = name;
}

void Batch::decided(Turn turn, model::Row row, model::StringId hint,
                    std::span<const ScoredRow> scored) {
  const model::NodeTable& nodes = cluster_.nodes();
  cycle_ = turn.cycle;
  set_chosen(nodes.node(nodes.slot_of(row)).name);
  // It may be the nominated node that was tried instead: what counts is that it is the next one.
  if (hint != 0 && hint == chosen_) return others_.pop();
  if (!turn.signature || scored.empty()) return others_.clear();
  signature_ = *std::move(turn.signature);
  made_at_ = turn.now;
  others_.fill(scored, row);
}

}  // namespace berth::framework
