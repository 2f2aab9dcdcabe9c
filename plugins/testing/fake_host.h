#pragma once

// A host for unit tests of plugins: its services record what plugins ask.

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/abi/host.h"
#include "plugins/testing/fake_counts.h"
#include "plugins/testing/fake_run.h"
#include "plugins/testing/fake_volumes.h"
#include "plugins/testing/fake_waiting.h"

namespace berth::plugins::testing {

class FakeHost {
 public:
  FakeHost();
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  const berth_host* raw() const { return &host_; }
  static FakeHost& of(const berth_host* host) { return *static_cast<FakeHost*>(host->context); }

  // Strings: interns a text.
  uint32_t id(std::string_view text);
  std::vector<uint32_t> ids(std::initializer_list<std::string_view> texts);

  // Columns: every id exists but this one.
  std::string missing_column;
  uint32_t column(std::string_view id);
  const std::string& column_text(uint32_t column) const { return columns_.at(column); }

  // Selectors: makes a handle whose match column is "node.matches:HANDLE".
  uint32_t add_selector(std::vector<std::string> problems = {});
  std::string match_column(uint32_t selector) const;
  // Handles for the selectors in configurations, in the order in which plugins ask for them.
  std::deque<uint32_t> selectors_of_config;

  // Counts.
  FakeCounts counts;

  // Claims, volumes and the objects of storage.
  FakeVolumes volumes;

  // Pods that wait in Permit.
  FakeWaiting waiting;

  // Time, random numbers, threads and metrics.
  FakeRun run;

  // The bindings that were written, the number of writes, and the code that writing returns.
  std::vector<std::pair<uint64_t, uint32_t>> bindings;
  uint64_t refused_pod = 0;  // a handle that cannot be bound
  uint64_t writes = 0;
  berth_code binding_code = BERTH_SUCCESS;

  // The texts that plugins log.
  std::vector<std::string> logged;

  // Id of a service that this host does not offer.
  std::string missing_service;

 private:
  static const void* service(const berth_host* host, berth_string id);

  berth_host host_{};
  berth_log_service log_{};
  berth_strings_service strings_{};
  berth_columns_service columns_service_{};
  berth_selectors_service selectors_{};
  berth_bindings_service bindings_{};
  std::deque<std::string> texts_;
  std::map<std::string, uint32_t, std::less<>> string_ids_;
  std::map<uint32_t, std::string> columns_;
  std::vector<std::vector<std::string>> problems_;  // of selector i + 1
};

}  // namespace berth::plugins::testing
