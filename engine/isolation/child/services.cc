#include "engine/isolation/child/services.h"

#include <mutex>
#include <string>
#include <unordered_set>

#include "engine/isolation/child/own_services.h"
#include "engine/isolation/child/stub.h"

namespace berth::isolation {

// Texts of string ids are valid as long as the ids, so they stay.
berth_string lasting(std::string_view text) {
  static std::mutex mutex;
  static std::unordered_set<std::string> texts;
  const std::lock_guard lock(mutex);
  return abi_text(*texts.emplace(text).first);
}

namespace {

template <typename Table>
constexpr Table kTable = asking_table<Table>();

// Null: the engine does not answer for such a service.
template <typename... Tables>
const void* asking_table_of(std::string_view id, Types<Tables...>) {
  const void* table = nullptr;
  static_cast<void>(((id == Described<Tables>::kId && (table = &kTable<Tables>)) || ...));
  return table;
}

}  // namespace

struct HostFunctions {
  // The log's level is that of the instance, so its table is, too.
  static const void* service(const berth_host* host, berth_string id) {
    return on_lane(static_cast<const void*>(nullptr), [&](PluginLane& lane) -> const void* {
      Writer message;
      message.text(id);
      Reader answer = lane.ask(Ask::kService, message);
      if (answer.get<uint32_t>() == 0) return nullptr;
      auto& self = *static_cast<PluginHost*>(host->context);
      self.log_.level = answer.get<uint32_t>();
      const bool is_log = std::string_view(id.data, id.size) == BERTH_LOG_SERVICE;
      return is_log ? &self.log_ : service_table(id);
    });
  }
};

PluginHost::PluginHost()
    : host_{sizeof host_, BERTH_ABI_MAJOR, BERTH_ABI_MINOR, this, HostFunctions::service},
      log_(kTable<berth_log_service>) {
  log_.level = BERTH_LOG_INFO;
}

const berth_config* plugin_config() { return &kTable<berth_config>; }
const berth_numbers_sink* plugin_numbers_sink() { return &kTable<berth_numbers_sink>; }

const void* service_table(berth_string id) {
  const std::string_view name(id.data, id.size);
  const void* own = own_service_table(name);
  return own != nullptr ? own : asking_table_of(name, AskedServices());
}

}  // namespace berth::isolation
