#include "plugins/testing/fake_host.h"

#include "berth/sdk/text.hpp"

namespace berth::plugins::testing {

using sdk::to_abi;
using sdk::to_view;

FakeHost::FakeHost() {
  host_ = {sizeof(host_),
           BERTH_ABI_MAJOR,
           BERTH_ABI_MINOR,
           this,
           service,
           BERTH_STRING("FakeHost"),
           BERTH_STRING("default-scheduler")};
  log_ = {sizeof(log_), BERTH_LOG_DEBUG,
          [](const berth_host* host, uint32_t, berth_string text) {
            of(host).logged.emplace_back(text.data, text.size);
          },
          [](const berth_host*, uint32_t) { return 1u; }};
  strings_ = {
      sizeof(strings_),
      0,
      [](const berth_host* host, berth_string text) { return of(host).id(to_view(text)); },
      [](const berth_host* host, berth_string text) {
        const auto& ids = of(host).string_ids_;
        const auto found = ids.find(to_view(text));
        return found == ids.end() ? 0u : found->second;
      },
      [](const berth_host* host, uint32_t id) { return to_abi(of(host).texts_.at(id - 1)); },
      [](const berth_host* host, uint32_t id, berth_string* text) {
        *text = to_abi(of(host).texts_.at(id - 1));
      },
      [](const berth_host* host, uint64_t count, const uint32_t* ids, berth_string* texts) {
        for (uint64_t i = 0; i < count; ++i)
          texts[i] = ids[i] == 0 ? berth_string{} : to_abi(of(host).texts_.at(ids[i] - 1));
      }};
  columns_service_ = {sizeof(columns_service_), 0, [](const berth_host* host, berth_string id) {
                        return of(host).column(to_view(id));
                      }};
  const auto next_of_config = [](const berth_host* host, const struct berth_config*, uint32_t) {
    auto& handles = of(host).selectors_of_config;
    if (handles.empty()) return 0u;
    const uint32_t handle = handles.front();
    handles.pop_front();
    return handle;
  };
  selectors_ = {sizeof(selectors_),
                0,
                [](const berth_host* host, uint32_t selector) {
                  return of(host).column(of(host).match_column(selector));
                },
                [](const berth_host* host, uint32_t selector, const berth_text_sink* sink) {
                  for (const std::string& problem : of(host).problems_.at(selector - 1))
                    sink->write(sink->context, to_abi(problem));
                },
                next_of_config,
                next_of_config,
                next_of_config};
  bindings_ = {
      sizeof(bindings_), 0,
      [](const berth_host* host, uint64_t count, const uint64_t* pods, const uint32_t* nodes) {
        FakeHost& self = of(host);
        ++self.writes;
        if (self.binding_code != BERTH_SUCCESS) return self.binding_code;
        for (uint64_t i = 0; i < count; ++i) self.bindings.emplace_back(pods[i], nodes[i]);
        return berth_code{BERTH_SUCCESS};
      },
      [](const berth_host* host, uint64_t count, const uint64_t* pods, const uint32_t* nodes,
         uint8_t* codes) {
        FakeHost& self = of(host);
        ++self.writes;
        for (uint64_t i = 0; i < count; ++i) {
          const bool refused = self.binding_code != BERTH_SUCCESS || pods[i] == self.refused_pod;
          codes[i] = static_cast<uint8_t>(refused ? BERTH_ERROR : BERTH_SUCCESS);
          if (!refused) self.bindings.emplace_back(pods[i], nodes[i]);
        }
      }};
}

const void* FakeHost::service(const berth_host* host, berth_string id) {
  FakeHost& self = of(host);
  const std::string_view wanted = to_view(id);
  if (wanted == self.missing_service) return nullptr;
  if (wanted == BERTH_LOG_SERVICE) return &self.log_;
  if (wanted == BERTH_STRINGS_SERVICE) return &self.strings_;
  if (wanted == BERTH_COLUMNS_SERVICE) return &self.columns_service_;
  if (wanted == BERTH_SELECTORS_SERVICE) return &self.selectors_;
  if (wanted == BERTH_COUNTS_SERVICE) return &self.counts.service();
  if (wanted == BERTH_VOLUMES_SERVICE) return &FakeVolumes::service();
  if (wanted == BERTH_WAITING_SERVICE) return &self.waiting.service();
  if (wanted == BERTH_BINDINGS_SERVICE) return &self.bindings_;
  return FakeRun::service(wanted);
}

uint32_t FakeHost::id(std::string_view text) {
  const auto found = string_ids_.find(text);
  if (found != string_ids_.end()) return found->second;
  texts_.emplace_back(text);
  return string_ids_[std::string(text)] = static_cast<uint32_t>(texts_.size());
}

std::vector<uint32_t> FakeHost::ids(std::initializer_list<std::string_view> texts) {
  std::vector<uint32_t> all;
  for (const std::string_view text : texts) all.push_back(id(text));
  return all;
}

uint32_t FakeHost::column(std::string_view id) {
  if (!missing_column.empty() && id == missing_column) return 0;
  for (const auto& [number, text] : columns_)
    if (text == id) return number;
  const auto number = static_cast<uint32_t>(columns_.size() + 1);
  columns_.emplace(number, id);
  return number;
}

uint32_t FakeHost::add_selector(std::vector<std::string> problems) {
  problems_.push_back(std::move(problems));
  return static_cast<uint32_t>(problems_.size());
}

std::string FakeHost::match_column(uint32_t selector) const {
  return sdk::concat("node.matches:", selector);
}

}  // namespace berth::plugins::testing
