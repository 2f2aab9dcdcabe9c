#pragma once

// The host's services as values. Each is looked up once, at init.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/abi/host.h"
#include "berth/sdk/failure.hpp"
#include "berth/sdk/points.hpp"

namespace berth::sdk {

// The minor version that a plugin states. What it cannot do without must not be newer.
class Needs {
 public:
  // Without arguments: a plugin that may use everything.
  constexpr Needs() = default;
  constexpr explicit Needs(uint16_t minor, std::span<const Addition> additions = kAdditions)
      : minor_(minor), additions_(additions) {}

  // Throws Failure if the column or service is newer than what the plugin states. `what` is
  // "column" or "service".
  void require(std::string_view what, std::string_view id) const {
    if (since_minor(id, additions_) <= minor_) return;
    throw Failure(concat("this plugin uses the ", what, " ", id, ", which came with ABI 1.",
                         since_minor(id, additions_), ", but says that it needs ABI 1.", minor_,
                         ": name it behind the extension points in BERTH_SDK_PLUGIN"));
  }
  // The same for what has no id.
  void require_minor(std::string_view what, uint16_t since) const {
    if (since <= minor_) return;
    throw Failure(concat("this plugin uses ", what, ", which came with ABI 1.", since,
                         ", but says that it needs ABI 1.", minor_,
                         ": its class has kNeedsMinor, or use BERTH_SDK_PLUGIN_NEEDING"));
  }

 private:
  uint16_t minor_ = UINT16_MAX;
  std::span<const Addition> additions_ = kAdditions;
};

// The host, as passed to init. Valid as long as the plugin's instance.
class Host {
 public:
  explicit Host(const berth_host* host, Needs needs = {}) : host_(host), needs_(needs) {}

  const berth_host* raw() const { return host_; }
  // The host program with its version, and the profile of the instance; empty before ABI 1.3.
  std::string_view name() const { return BERTH_HAS(host_, name) ? to_view(host_->name) : ""; }
  std::string_view profile() const {
    return BERTH_HAS(host_, profile) ? to_view(host_->profile) : "";
  }
  const Needs& needs() const { return needs_; }

  // [init] Null if the host does not offer the service.
  template <class Service>
  const Service* find(std::string_view id) const {
    return static_cast<const Service*>(host_->service(host_, to_abi(id)));
  }
  // [init] Throws Failure if the host does not offer the service, or the plugin states that it
  // works with hosts that did not have it.
  template <class Service>
  const Service* require(std::string_view id) const {
    needs_.require("service", id);
    const auto* service = find<Service>(id);
    if (service == nullptr) throw Failure(concat("this host has no service ", id));
    return service;
  }

 private:
  const berth_host* host_;
  Needs needs_;
};

// A service together with the host that its functions take as first argument. A default-constructed
// one may only be assigned to.
template <class Table>
class Service {
 public:
  Service() = default;

 protected:
  Service(Host host, std::string_view id) : host_(host.raw()), table_(host.require<Table>(id)) {}

  const berth_host* host_ = nullptr;
  const Table* table_ = nullptr;
};

// String ids. Equal ids mean equal texts; 0 is "absent".
class Strings : Service<berth_strings_service> {
 public:
  Strings() = default;
  explicit Strings(Host host) : Service(host, BERTH_STRINGS_SERVICE) {}

  // [init] [cycle] The id of a text; intern() creates it, find() returns 0 for an unknown text.
  uint32_t intern(std::string_view text) const { return table_->intern(host_, to_abi(text)); }
  uint32_t find(std::string_view text) const { return table_->find(host_, to_abi(text)); }
  // The text of a string id; empty for id 0. Valid as long as the id, so copy a text that you keep.
  std::string_view text(uint32_t id) const {
    return id == 0 ? std::string_view{} : to_view(table_->text(host_, id));
  }
  // The same for many ids. Requires spans of equal size.
  void texts(std::span<const uint32_t> ids, std::span<std::string_view> out) const {
    std::vector<berth_string> all(ids.size());
    if (BERTH_HAS(table_, read_all) && table_->read_all != nullptr) {
      table_->read_all(host_, ids.size(), ids.data(), all.data());
    } else {
      std::transform(ids.begin(), ids.end(), all.begin(),
                     [&](uint32_t id) { return table_->text(host_, id); });
    }
    for (size_t i = 0; i < ids.size(); ++i)
      out[i] = ids[i] == 0 ? std::string_view{} : to_view(all[i]);
  }
};

// Ids of columns.
class ColumnIds : Service<berth_columns_service> {
 public:
  ColumnIds() = default;
  explicit ColumnIds(Host host) : Service(host, BERTH_COLUMNS_SERVICE) {}

  // Throws Failure if there is no such column.
  uint32_t find(std::string_view id) const {
    const uint32_t column = table_->find(host_, to_abi(id));
    if (column == 0) throw Failure(concat("this host has no column ", id));
    return column;
  }
};

// Node selectors and label selectors, as handles; 0 is no selector.
class Selectors : Service<berth_selectors_service> {
 public:
  Selectors() = default;
  explicit Selectors(Host host) : Service(host, BERTH_SELECTORS_SERVICE) {}

  // [init] [cycle] The id of the column that is 1 on the nodes that match the selector.
  uint32_t match_column(uint32_t selector) const { return table_->match_column(host_, selector); }
  // Writes each error of the selector with one `write`.
  void problems(uint32_t selector, const berth_text_sink* sink) const {
    table_->problem(host_, selector, sink);
  }
  // [init] Handles of selectors at `node` of a configuration. 0: malformed, and reported there.
  uint32_t node_selector(const berth_config* config, uint32_t node) const {
    return table_->node_selector(host_, config, node);
  }
  uint32_t node_selector_term(const berth_config* config, uint32_t node) const {
    return table_->node_selector_term(host_, config, node);
  }
  uint32_t label_selector(const berth_config* config, uint32_t node) const {
    return table_->label_selector(host_, config, node);
  }
};

// Receives bindings. [bind]
class Bindings : Service<berth_bindings_service> {
 public:
  Bindings() = default;
  explicit Bindings(Host host) : Service(host, BERTH_BINDINGS_SERVICE) {}

  // Requires spans of equal size.
  berth_code write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes) const {
    return table_->write(host_, pods.size(), pods.data(), nodes.data());
  }
  // The same with a code for each position. Requires spans of equal size.
  void write(std::span<const uint64_t> pods, std::span<const uint32_t> nodes,
             std::span<uint8_t> codes) const {
    if (BERTH_HAS(table_, write_each) && table_->write_each != nullptr)
      return table_->write_each(host_, pods.size(), pods.data(), nodes.data(), codes.data());
    for (size_t i = 0; i < pods.size(); ++i)
      codes[i] = static_cast<uint8_t>(table_->write(host_, 1, &pods[i], &nodes[i]));
  }
};

// Log messages for people. [any]
class Log : Service<berth_log_service> {
 public:
  Log() = default;
  explicit Log(Host host) : Service(host, BERTH_LOG_SERVICE) {}

  // `level`: one of BERTH_LOG_. Messages above the host's level are dropped.
  void write(uint32_t level, std::string_view text) const {
    if (shows(level)) table_->write(host_, level, to_abi(text));
  }
  // True if messages of the level are shown now.
  bool shows(uint32_t level) const {
    return BERTH_HAS(table_, shows) && table_->shows != nullptr ? table_->shows(host_, level) != 0
                                                                : level <= table_->level;
  }
};

}  // namespace berth::sdk
