#include "engine/extenders/answered_nodes.h"

#include <algorithm>
#include <utility>

#include "engine/ingest/objects/objects.h"

namespace berth::extenders {
namespace {

model::Node decoded(const AnsweredNode& answered) {
  Diagnostics faults;
  const document::Document document = document::Document::parse(answered.json, "answer", faults);
  std::optional<model::Node> node;
  if (document.roots().size() == 1)
    node = ingest::decode_node(document.roots()[0], faults, ingest::Defaults::kNone);
  if (!node) throw Error("the answered node is none: " + std::string(faults.kept().front().what()));
  return *node;
}

}  // namespace

model::Row row_of(const model::Cluster& cluster, std::string_view name) {
  const model::NodeTable& nodes = cluster.nodes();
  const model::StringId id = cluster.strings().find(name);
  const model::Slot slot = id == 0 ? model::kNoSlot : nodes.find(id);
  const bool exists = slot != model::kNoSlot && nodes.node(slot).present;
  return exists ? nodes.row_of(slot) : model::kNoRow;
}

// The model keeps its own object of a known node: scores see that one.
model::Row AnsweredNodes::take(AnsweredNode node) {
  model::Row row = row_of(cluster_, node.name);
  if (row == model::kNoRow) {
    cluster_.put_node(decoded(node));
    unknown_.push_back(node.name);
    row = row_of(cluster_, node.name);
  }
  json_.insert_or_assign(row, std::move(node.json));
  return row;
}

void AnsweredNodes::settle(const std::vector<model::Row>& passed) {
  const bool some_pass = std::ranges::any_of(unknown_, [&](const std::string& name) {
    return std::ranges::find(passed, row_of(cluster_, name)) != passed.end();
  });
  if (unknown_.empty() || some_pass) return;
  withdraw();
  cluster_.order_rows();
}

void AnsweredNodes::end() {
  withdraw();
  json_.clear();
}

void AnsweredNodes::withdraw() {
  for (const std::string& name : unknown_) cluster_.remove_node(name);
  unknown_.clear();
}

}  // namespace berth::extenders
