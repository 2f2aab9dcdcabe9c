#pragma once

// Several watches of decisions as one.

#include <vector>

#include "engine/framework/decision/decision_watch.h"

namespace berth::cli {

class Watches final : public framework::DecisionWatch {
 public:
  // The watch outlives this object.
  void add(framework::DecisionWatch& watch) { all_.push_back(&watch); }
  void clear() { all_.clear(); }

  void begins(const model::PodRecord& pod) override {
    for (DecisionWatch* watch : all_) watch->begins(pod);
  }
  void ordered() override {
    for (DecisionWatch* watch : all_) watch->ordered();
  }
  void made(framework::Decider& decider, const framework::Request& request,
            const framework::Decision& decision) override {
    for (DecisionWatch* watch : all_) watch->made(decider, request, decision);
  }
  void searched() override {
    for (DecisionWatch* watch : all_) watch->searched();
  }
  void ranked() override {
    for (DecisionWatch* watch : all_) watch->ranked();
  }
  void decided(const framework::Decider& decider, const framework::Decision& decision) override {
    for (DecisionWatch* watch : all_) watch->decided(decider, decision);
  }

 private:
  std::vector<DecisionWatch*> all_;
};

}  // namespace berth::cli
