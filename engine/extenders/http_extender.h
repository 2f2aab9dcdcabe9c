#pragma once

// One extender: asks its server, and checks what it answers against what it was asked. Source:
// kube-scheduler extender.go.

#include <span>
#include <string>
#include <vector>

#include "engine/config/extender.h"
#include "engine/extenders/answered_nodes.h"
#include "engine/extenders/http_client.h"
#include "engine/extenders/whole_objects.h"
#include "engine/framework/decision/extenders.h"

namespace berth::extenders {

// A call that failed is an Error whose message names the extender, unless the message is the
// extender's own. One thread at a time.
class HttpExtender {
 public:
  // All outlive it. Throws Error, with the place in the configuration, if the server cannot be
  // called.
  HttpExtender(const config::Extender& config, const model::Cluster& cluster,
               const WholeObjects& whole, AnsweredNodes& answered);

  const config::Extender& config() const { return config_; }
  const std::string& name() const { return config_.url_prefix; }
  std::string node_name(model::Row row) const { return std::string(cluster_.node_name(row)); }
  // True if the pod asks for a resource that the extender manages, or if it manages none.
  bool is_interested(const model::PodRecord& pod) const;

  // Precondition of each: its verb is set. Throw Error. What `filter` answers with objects is in
  // the answered nodes then.
  framework::ExtenderFilter filter(const model::PodRecord& pod,
                                   const std::vector<model::Row>& rows);
  framework::ExtenderScores prioritize(const model::PodRecord& pod,
                                       const std::vector<model::Row>& rows);
  std::vector<framework::ExtenderVictims> preempt(
      const model::PodRecord& pod, std::span<const framework::ExtenderVictims> candidates);
  void bind(const model::PodRecord& pod, std::string_view node);

 private:
  std::string post(const std::string& verb, std::string body);
  std::string arguments(const model::PodRecord& pod, const std::vector<model::Row>& rows) const;
  std::string preemption(const model::PodRecord& pod,
                         std::span<const framework::ExtenderVictims> candidates) const;
  std::vector<model::Row> rows_of(const std::vector<std::string>& names,
                                  const std::vector<model::Row>& asked) const;
  std::vector<model::Row> rows_of(std::vector<AnsweredNode>& nodes);
  model::PodId victim(model::Row row, const std::string& uid) const;
  template <typename Read>
  auto read(const std::string& body, Read&& read) const;
  Error failure(const std::string& text) const;

  const config::Extender& config_;
  const model::Cluster& cluster_;
  const WholeObjects& whole_;
  AnsweredNodes& answered_;
  HttpClient client_;
};

}  // namespace berth::extenders
