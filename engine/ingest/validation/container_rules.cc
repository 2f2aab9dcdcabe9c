#include "engine/ingest/validation/container_rules.h"

#include <boost/unordered/unordered_flat_set.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ingest/admission/label_syntax.h"
#include "engine/ingest/validation/resource_rules.h"
#include "engine/ingest/validation/restart_rules.h"
#include "engine/ingest/validation/seen_texts.h"

namespace berth::ingest {
namespace {

using document::Kind;
using document::Value;
using Within = FieldErrors::Within;

std::string_view text_in(Value object, std::string_view field) {
  const Value value = object.find(field);
  return value.is(Kind::kString) ? value.as_string() : std::string_view();
}

// Calls visit(container, value, i) for each container and what it was read from.
template <typename Visit>
void each_container(const std::vector<model::Container>& containers, Value array, Visit visit) {
  const document::Elements values = array.elements();
  auto at = values.begin();
  for (size_t i = 0; i < containers.size(); ++i) {
    visit(containers[i], at == values.end() ? Value() : *at, i);
    if (at != values.end()) ++at;
  }
}

class HostPorts {
 public:
  // False: the port of the node is taken.
  bool add(const model::ContainerPort& port) { return taken_.insert(text(port)).second; }
  static std::string text(const model::ContainerPort& port) {
    return (port.protocol.empty() ? "TCP" : port.protocol) + "/" + port.host_ip + "/" +
           std::to_string(port.host_port);
  }

 private:
  boost::unordered_flat_set<std::string> taken_;
};

class Containers {
 public:
  Containers(Value spec, Validation by, FieldErrors& errors)
      : spec_(spec), by_(by), errors_(errors) {
    const Value host = spec.find("hostNetwork");
    host_network_ = host.is(Kind::kBoolean) && host.as_bool();
  }

  void run(const model::PodSpec& spec) {
    if (spec.containers.empty()) {
      const Within in_containers(errors_, "containers");
      errors_.required("");
    }
    HostPorts host_ports;
    each_container(spec.containers, spec_.find("containers"),
                   [&](const model::Container& container, Value in, size_t i) {
                     const Within in_container(errors_, "containers", i);
                     check(container, in, host_ports);
                     if (has_restart_rules()) return check_restarts(in, errors_);
                     if (!in.find("restartPolicy").set()) return;
                     const Within in_policy(errors_, "restartPolicy");
                     errors_.forbidden("may not be set for non-init containers");
                   });
    each_container(spec.init_containers, spec_.find("initContainers"),
                   [&](const model::Container& container, Value in, size_t i) {
                     const Within in_container(errors_, "initContainers", i);
                     HostPorts own;  // they run one by one
                     check(container, in, own);
                     const std::string_view policy = text_in(in, "restartPolicy");
                     if (has_restart_rules()) {
                       check_restarts(in, errors_);
                       if (policy != "Always") check_resizes(in, errors_);
                       return;
                     }
                     if (!in.find("restartPolicy").set() || policy == "Always") return;
                     const Within in_policy(errors_, "restartPolicy");
                     errors_.unsupported(policy, {"Always"});
                   });
    const Value late = spec_.find("ephemeralContainers");
    if (late.size() == 0) return;
    const Within in_late(errors_, "ephemeralContainers");
    errors_.forbidden("cannot be set on create");
  }

 private:
  bool has_restart_rules() const { return by_ == Validation::kNew1_36; }

  void check(const model::Container& container, Value in, HostPorts& host_ports) {
    check_name(container.name);
    check_ports(container.ports, in.find("ports"), host_ports);
    const Within in_resources(errors_, "resources");
    check_requirements(container.requests, container.limits, ResourceNames::kContainer, errors_);
  }

  // Names are unique among containers of both kinds.
  void check_name(const std::string& name) {
    const Within in_name(errors_, "name");
    if (name.empty()) return errors_.required("");
    errors_.invalid(name, namespace_name_problems(name));
    if (!names_.add(name)) errors_.duplicate(name);
  }

  void check_ports(const std::vector<model::ContainerPort>& ports, Value array,
                   HostPorts& host_ports) {
    SeenTexts names;
    const document::Elements values = array.elements();
    auto at = values.begin();
    for (size_t i = 0; i < ports.size() && at != values.end(); ++i, ++at) {
      const Within in_port(errors_, "ports", i);
      check_port_name(text_in(*at, "name"), names);
      check_port(ports[i], (*at).find("containerPort"), host_ports);
    }
  }

  void check_port_name(std::string_view name, SeenTexts& names) {
    if (name.empty()) return;
    const Within in_name(errors_, "name");
    const std::vector<std::string> problems = port_name_problems(name);
    errors_.invalid(name, problems);
    if (problems.empty() && !names.add(name)) errors_.duplicate(name);
  }

  void check_port(const model::ContainerPort& port, Value number, HostPorts& host_ports) {
    const int64_t own = number.is(Kind::kNumber) ? number.as_int64().value_or(0) : 0;
    if (own == 0) {
      const Within in_number(errors_, "containerPort");
      errors_.required("");
    }
    const std::string& protocol = port.protocol;
    if (!protocol.empty() && protocol != "TCP" && protocol != "UDP" && protocol != "SCTP") {
      const Within in_protocol(errors_, "protocol");
      errors_.unsupported(protocol, {"SCTP", "TCP", "UDP"});
    }
    if (port.host_port == 0) return;
    const Within in_host_port(errors_, "hostPort");
    if (!host_ports.add(port)) errors_.duplicate(HostPorts::text(port));
    if (host_network_ && own != 0 && port.host_port != own)
      errors_.invalid(port.host_port, "must match `containerPort` when `hostNetwork` is true");
  }

  Value spec_;
  const Validation by_;
  FieldErrors& errors_;
  bool host_network_ = false;
  SeenTexts names_;
};

}  // namespace

void check_containers(const model::PodSpec& spec, Value in, Validation by, FieldErrors& errors) {
  Containers(in, by, errors).run(spec);
}

}  // namespace berth::ingest
