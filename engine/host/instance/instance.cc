#include "engine/host/instance/instance.h"

#include <atomic>
#include <utility>

#include "engine/base/error.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/calls/checks/guard.h"
#include "engine/host/faults/floating_point.h"
#include "engine/host/faults/life_cycle_call.h"
#include "engine/host/instance/text.h"

namespace berth::host {
namespace {

// A greater size is garbage: tables grow by a few pointers.
constexpr uint32_t kMostTable = 64 * 1024;

// Checks the plugin's table of the point of T.
template <typename T>
const typename T::Table& checked_table(const void* pointer) {
  if (reinterpret_cast<uintptr_t>(pointer) % alignof(typename T::Table) != 0)
    throw Error("is at an address that is not aligned to 8 bytes");
  const auto& table = *static_cast<const typename T::Table*>(pointer);
  if (table.size > kMostTable)
    throw Error("says that it has " + std::to_string(table.size) + " bytes, expected at most " +
                std::to_string(kMostTable));
  if (!T::is_complete(table)) {
    throw Error("has " + std::to_string(table.size) + " bytes; ABI " + host_abi() + " has " +
                std::to_string(sizeof table));
  }
  if constexpr (requires { table.reserved; }) {
    if (const auto problem = reserved_problem(table.reserved)) throw Error("has " + *problem);
  }
  return table;
}

}  // namespace

Instance::Instance(std::shared_ptr<const Library> library, const Environment& environment,
                   CallContext& calls, const Arguments& arguments)
    : library_(std::move(library)),
      environment_(environment),
      services_(library_->name(), environment_) {
  try {
    create();
    initialise(calls, arguments);
    take_tables();
  } catch (...) {
    destroy();
    throw;
  }
}

Instance::~Instance() { destroy(); }

void Instance::create() {
  const PluginFunction function = library_->function("create");
  try {
    const LifeCycleCall scope(function);
    plugin_ = library_->code().create();
  } catch (...) {
    fail(caught_in(function));
  }
  if (const std::string problem = restore_floating_point(function.function); !problem.empty())
    fail(problem);
  if (plugin_ == nullptr) fail("returned no instance from create");
}

void Instance::initialise(CallContext& calls, const Arguments& arguments) {
  ConfigTree tree(arguments);
  services_.set_arguments(&tree);
  static_cast<void>(environment_.model.take_unknown_column());
  calls.clear_text();
  berth_code code = BERTH_SUCCESS;
  std::string failure;
  const PluginFunction function = library_->function("init");
  try {
    const LifeCycleCall scope(function);
    code = library_->code().init(plugin_, services_.host(), tree.config(), calls.sink());
  } catch (...) {
    failure = caught_in(function);
  }
  services_.set_arguments(nullptr);
  if (failure.empty()) failure = restore_floating_point(function.function);
  if (failure.empty() && code != BERTH_SUCCESS) {
    failure = "could not be initialised";
    if (code != BERTH_ERROR)
      failure +=
          " (init returned the code " + std::to_string(code) + ", expected SUCCESS or ERROR)";
    if (!calls.text().empty()) failure += ": " + calls.text();
  }
  std::vector<std::string> wrong;
  for (const Error& error : tree.reported()) wrong.emplace_back(error.what());
  if (!wrong.empty()) {
    failure += (failure.empty() ? "refused its arguments: " : "; its arguments are wrong: ") +
               joined(wrong, "; ");
  }
  if (failure.empty()) return;
  if (!services_.missing().empty()) {
    failure += "; it asked for services that this Berth does not have: " +
               joined(services_.missing(), ", ");
  }
  if (const std::string unknown = environment_.model.take_unknown_column(); !unknown.empty())
    failure += "; " + unknown;
  fail(failure);
}

void Instance::take_tables() {
  std::vector<std::string> problems;
  const PluginFunction function = library_->function("extension");
  for (const Revision* revision : library_->revisions()) {
    const std::string_view id = revision->id;
    try {
      const void* table = nullptr;
      {
        const LifeCycleCall scope(function);
        table = library_->code().extension(plugin_, to_abi(id));
      }
      if (std::string problem = restore_floating_point(function.function); !problem.empty())
        problems.push_back(std::move(problem));
      if (table != nullptr) {
        // The pointers in a table are the plugin's: a crash that they cause is its own.
        const InPlugin scope(function);
        std::atomic_signal_fence(std::memory_order_seq_cst);  // nothing is read before
        take_table(*revision, table);
      } else {
        problems.push_back("has no table for " + std::string(id) + ", which its note names");
      }
    } catch (const Error& error) {
      problems.push_back("is not usable: its table for " + std::string(id) + " " + error.message());
    } catch (...) {
      problems.push_back(caught_in(function));
    }
  }
  if (!problems.empty()) fail(joined(problems, "; "));
}

void Instance::take_table(const Revision& revision, const void* table) {
  berth_plugin* plugin = plugin_;
  if (revision.adapt != nullptr) {
    adapted_.push_back(revision.adapt(plugin_, table));
    plugin = adapted_.back()->plugin();
    table = adapted_.back()->table();
  }
  const PluginCode& code = library_->code();
  const Hook::Owner owner = {plugin, name(), &environment_, library_->path().native(),
                             code.is_apart() ? &code : nullptr};
  visit_hook_type(revision.point, [&]<typename T>(std::type_identity<T>) {
    hooks_[T::kPoint] = std::make_shared<T>(owner, checked_table<T>(table));
  });
}

void Instance::destroy() noexcept {
  if (plugin_ == nullptr) return;
  const PluginFunction function = library_->function("destroy");
  std::string problem;
  try {
    const LifeCycleCall scope(function);
    library_->code().destroy(std::exchange(plugin_, nullptr));
    problem = restore_floating_point(function.function);
  } catch (...) {
    problem = caught_in(function);
  }
  InPlugin::forget_last();
  if (!problem.empty()) environment_.log.write(BERTH_LOG_ERROR, name(), problem);
}

void Instance::fail(const std::string& what) const {
  throw Error(place_of(library_->path()), "plugin " + in_quotes(name()) + " " + what);
}

}  // namespace berth::host
