#pragma once

// Shared by the tests of the intake.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "engine/runtime/intake/intake.h"

namespace berth::runtime {

class IntakeTest : public testing::Test {
 protected:
  static model::Node node(const std::string& name) {
    model::Node node;
    node.name = name;
    return node;
  }
  static model::Pod pod(const std::string& name, const std::string& node = "") {
    model::Pod pod;
    pod.namespace_name = "default";
    pod.name = name;
    pod.spec.node_name = node;
    return pod;
  }
  static model::SelectorOwner selector_owner(model::SelectorOwnerKind kind,
                                             const std::string& name) {
    return {kind, name, "default", model::LabelSelector{{{"app", name}}, {}}};
  }
  static ingest::TemplatePod placed(const std::string& name, const std::string& node) {
    ingest::TemplatePod pod;
    pod.spec = std::make_shared<model::PodSpec>();
    pod.namespace_name = "default";
    pod.name = name;
    pod.node_name = node;
    return pod;
  }
  static ingest::PodBatch batch(const std::vector<std::string_view>& names, uint32_t of = 0) {
    ingest::PodBatch pods;
    pods.namespaces = {"default"};
    pods.names = names;
    pods.template_ids.assign(names.size(), of);
    pods.namespace_indices.assign(names.size(), 0);
    return pods;
  }

  void add_cluster(std::vector<model::Node> nodes, std::vector<model::Pod> pods) {
    ingest::Objects objects;
    for (model::Node& node : nodes) objects.others.push_back(model::added(std::move(node)));
    objects.pods = std::move(pods);
    intake_.add_cluster(objects, "cluster.json");
  }
  void add_file(const ingest::Objects& objects, const char* path, bool dump = false) {
    const std::vector<WorkFile> files = {{path, objects, dump}};
    intake_.add_work(files, waiting_);
  }
  void add_work(std::vector<model::Pod> pods) {
    ingest::Objects objects;
    objects.pods = std::move(pods);
    add_file(objects, "pods.json");
  }
  void define(uint32_t id, const model::PodSpec& spec) {
    intake_.define({{id, std::make_shared<model::PodSpec>(spec)}});
  }
  void apply(const model::Change& change) { intake_.apply(change, "events", waiting_); }

  const model::PodRecord& waits(size_t i) { return cluster_.pod(waiting_[i]); }
  std::vector<std::string> waiting() {
    std::vector<std::string> names;
    for (const model::PodId pod : waiting_)
      names.emplace_back(cluster_.text(cluster_.pod(pod).name));
    return names;
  }
  std::vector<std::string> said() {
    std::vector<std::string> all;
    for (const Error& error : diagnostics_.kept()) all.emplace_back(error.what());
    return all;
  }
  int64_t pods_on(const std::string& name) {
    model::Slot slot = cluster_.nodes().find(cluster_.strings().find(name));
    return static_cast<int64_t>(cluster_.nodes().pods(slot).size());
  }
  // Every pod that came as work is in one book.
  void expect_balance() {
    const Intake::Counts& c = intake_.counts();
    EXPECT_EQ(c.work, c.finished + c.rejected + c.already_placed + c.terminating + waiting_.size());
  }

  model::Cluster cluster_;
  Diagnostics diagnostics_;
  Intake intake_{cluster_, diagnostics_};
  std::vector<model::PodId> waiting_;
};

}  // namespace berth::runtime
