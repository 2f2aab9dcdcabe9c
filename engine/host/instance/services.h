#pragma once

// The host as one plugin instance sees it: berth_host and its services (berth/abi/host.h). What a
// service does is up to others, behind the interfaces here.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/host.h"
#include "engine/host/calls/call_context.h"
#include "engine/host/instance/config_tree.h"
#include "engine/model/objects/objects.h"

namespace berth::host {

// The model, as far as plugins ask it anything. On the thread that owns the model, but for `text`.
class ModelServices {
 public:
  virtual ~ModelServices() = default;

  // String ids; 0 is absent.
  virtual uint32_t intern(std::string_view text) = 0;
  virtual uint32_t find(std::string_view text) const = 0;
  virtual std::string_view text(uint32_t id) const = 0;  // any thread; id < string_count()
  virtual uint32_t string_count() const = 0;             // any thread; ids are below it

  // Columns. A member of a family comes into being when it is asked for; 0: no such column.
  virtual uint32_t find_column(std::string_view id) = 0;
  // The id that a number stands for; empty: no such column.
  virtual std::string_view column_id(uint32_t column) = 0;
  // Whether something is a column's id, or that of a family ("node.label:*").
  virtual bool knows_column(std::string_view id) = 0;
  // Whether something is the id of a flat dictionary column of nodes, so that a hook may run over
  // it.
  virtual bool is_node_dictionary(std::string_view id) = 0;

  // Node selectors by handle; 0 is no selector.
  virtual uint32_t selector_count() const = 0;  // handles are 1..selector_count()
  virtual uint32_t match_column(uint32_t selector) = 0;
  virtual std::string selector_problem(uint32_t selector) const = 0;  // empty: well-formed
  virtual uint32_t add_selector(const model::NodeSelector& selector) = 0;
  virtual uint32_t add_selector_term(const model::NodeSelectorTerm& term) = 0;
  // Label selectors by handle. What is wrong with one; empty: it is well-formed.
  virtual uint32_t add_label_selector(const model::LabelSelector& selector) = 0;
  virtual std::string label_selector_problem(uint32_t selector) const = 0;

  // The table of any other service, by its id with revision; null: not there.
  virtual const void* other_service(std::string_view id) {
    static_cast<void>(id);
    return nullptr;
  }
};

// Where bindings go. On the binding thread.
class BindingServices {
 public:
  virtual ~BindingServices() = default;
  // Writes one binding per position: pod handle, string id of the node's name. False: not written.
  virtual bool write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) = 0;
};

// Receives log messages of plugins. Thread-safe.
class LogServices {
 public:
  virtual ~LogServices() = default;
  virtual uint32_t level() const = 0;  // a BERTH_LOG_ level; messages of a higher level are dropped
  virtual void write(uint32_t level, std::string_view plugin, std::string_view text) = 0;
};

// Writes to stderr through spdlog.
LogServices& standard_log();

// The services that plugin instances use. All of them outlive the instances.
struct Environment {
  ModelServices& model;
  BindingServices* bindings;  // null: the service is not offered
  LogServices& log;
  HookTable& hooks;
};

// The berth_host of one instance. Must not be moved: the plugin holds its address.
class HostServices {
 public:
  HostServices(std::string plugin, const Environment& environment);
  HostServices(const HostServices&) = delete;
  HostServices& operator=(const HostServices&) = delete;

  const berth_host* host() const { return &host_; }

  // Behind the pointer that a plugin passes to a service: for services that others implement
  // (ModelServices::other_service).
  static const HostServices& of(const berth_host* host) {
    return *static_cast<const HostServices*>(host->context);
  }
  const std::string& plugin() const { return plugin_; }
  const Environment& environment() const { return environment_; }

  // The services that the plugin asked for and that are not offered, each once, in order.
  const std::vector<std::string>& missing() const { return missing_; }

  // Sets the arguments that init is reading, for services that read parts of them; null after init.
  void set_arguments(ConfigTree* arguments) { arguments_ = arguments; }

 private:
  friend struct ServiceFunctions;

  const void* service(std::string_view id);

  const std::string plugin_;
  const Environment environment_;
  berth_host host_;
  berth_log_service log_;
  std::vector<std::string> missing_;
  ConfigTree* arguments_ = nullptr;
};

}  // namespace berth::host
