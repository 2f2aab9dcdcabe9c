#include "cli/serve/connections.h"

#include <cstdlib>

#include "engine/base/program/messages.h"
#include "engine/kube/config/in_cluster.h"
#include "engine/kube/config/kubeconfig.h"

namespace berth::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

kube::Connection of_file(const std::string& path) {
  const kube::Kubeconfig file = kube::Kubeconfig::read(path);
  for (const Error& remark : file.remarks()) say(remark.what());
  return file.connection();
}

}  // namespace

kube::Connection connection_to(const std::string& kubeconfig, const std::string& master) {
  const std::string host = variable("KUBERNETES_SERVICE_HOST");
  kube::Connection connection;
  if (!kubeconfig.empty()) {
    connection = of_file(kubeconfig);
  } else if (!master.empty()) {
    connection.server = master;
  } else if (!host.empty()) {
    connection = kube::in_cluster(host, variable("KUBERNETES_SERVICE_PORT"));
  } else {
    throw UsageError(
        Error("--kubeconfig: expected the file that tells of the API server; only a pod of the "
              "cluster can do without"));
  }
  if (!master.empty()) connection.server = master;
  return connection;
}

}  // namespace berth::cli
