#pragma once

// One instance of a plugin, for one profile.

#include <memory>
#include <string>
#include <vector>

#include "engine/base/points.h"
#include "engine/host/calls/call_context.h"
#include "engine/host/calls/checked_calls.h"
#include "engine/host/instance/config_tree.h"
#include "engine/host/instance/services/services.h"
#include "engine/host/loading/library.h"

namespace berth::host {

// Made, used and destroyed on the [init]/[cycle] thread; the calls of hooks are made on the threads
// that the ABI names. Owns the plugin's instance. States that its hooks prepared must be released
// before it is destroyed.
class Instance {
 public:
  // Creates and initialises the plugin's instance, then takes and checks the table of every
  // extension point in the plugin's identity. On failure throws Error, which names the plugin and
  // contains the text from init, missing services, errors in the arguments, exceptions, or the rule
  // that a table breaks.
  //
  // `calls` is the context of the calling thread; it is used during construction only. The services
  // of `environment` outlive the instance. `arguments` need not.
  Instance(std::shared_ptr<const Library> library, const Environment& environment,
           CallContext& calls, const Arguments& arguments);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Library& library() const { return *library_; }
  const std::string& name() const { return library_->name(); }

  // The ids of the services that `init` looked up and got.
  const std::vector<std::string>& services() const { return services_.found(); }

  // By which parts of a pod the plugin decides; null: it did not say.
  const Signing* signing() const { return services_.signing(); }

  // The hook at a point, owned by the instance. Null if the plugin does not implement the point.
  const Hook* hook(Point point) const { return hooks_[point].get(); }
  // The same by the class of checked_calls.h.
  template <typename T>
  const T* hook() const {
    return static_cast<const T*>(hook(T::kPoint));
  }

 private:
  // Steps of the constructor, in this order; each calls fail() on an error.
  void create();
  void initialise(CallContext& calls, const Arguments& arguments);
  void take_tables();
  void take_table(const Revision& revision, const void* table);
  void destroy() noexcept;
  [[noreturn]] void fail(const std::string& what) const;

  std::shared_ptr<const Library> library_;
  Environment environment_;
  HostServices services_;
  berth_plugin* plugin_ = nullptr;
  std::vector<std::unique_ptr<AdaptedTable>> adapted_;  // of former revisions
  PerPoint<std::shared_ptr<const Hook>> hooks_;         // each destroyed as what it was made
};

}  // namespace berth::host
