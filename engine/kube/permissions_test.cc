// The permissions in deploy/base are what this module asks of an API server, and no more.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "engine/document/document.h"
#include "engine/kube/kinds.h"

namespace berth::kube {
namespace {

using document::Value;
// Verbs by "GROUP/RESOURCE".
using Permissions = std::map<std::string, std::set<std::string>>;

std::string deployed_text() {
  std::ifstream file(BERTH_SOURCE_DIR "/deploy/base/permissions.yaml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void add_rule(Value rule, Permissions& to) {
  for (const Value group : rule.find("apiGroups").elements())
    for (const Value resource : rule.find("resources").elements())
      for (const Value verb : rule.find("verbs").elements())
        to[std::string(group.text()) + "/" + std::string(resource.text())].insert(
            std::string(verb.text()));
}

Permissions deployed(std::string_view kind) {
  Diagnostics faults;
  const auto document = document::Document::parse(deployed_text(), "permissions.yaml", faults);
  EXPECT_EQ(faults.count(), 0u);
  Permissions permissions;
  for (const Value root : document.roots())
    if (root.find("kind").text() == kind)
      for (const Value rule : root.find("rules").elements()) add_rule(rule, permissions);
  return permissions;
}

TEST(Permissions, OfTheClusterAreThoseThatAreNeeded) {
  Permissions needed;
  for (const ServedKind& kind : served_kinds())
    needed[std::string(kind.group) + "/" + std::string(kind.resource)] = {"list", "watch"};
  needed["/pods"].insert({"get", "delete"});                   // Bindings, Evictions
  needed["/pods/binding"] = {"create"};                        // Bindings
  needed["/pods/status"] = {"patch"};                          // Statuses, Evictions
  needed["/persistentvolumeclaims"].insert({"get", "patch"});  // VolumeWrites, ServerLink
  needed["/persistentvolumes"].insert({"get", "patch"});
  needed["events.k8s.io/events"] = {"create", "patch"};  // EventRecorder
  needed["authentication.k8s.io/tokenreviews"] = {"create"};
  needed["authorization.k8s.io/subjectaccessreviews"] = {"create"};
  EXPECT_EQ(deployed("ClusterRole"), needed);
}

// The elector's.
TEST(Permissions, OfTheLeaseAreThoseThatAreNeeded) {
  EXPECT_EQ(deployed("Role"),
            (Permissions{{"coordination.k8s.io/leases", {"create", "get", "update"}},
                         {"/events", {"create"}}}));
}

}  // namespace
}  // namespace berth::kube
