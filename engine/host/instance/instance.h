#pragma once

// One instance of a plugin, for one profile.

#include <memory>
#include <optional>
#include <string>
#include <vector>

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

  // The hooks, owned by the instance. Null if the plugin does not implement the extension point.
  const PreEnqueue* pre_enqueue() const { return pointer(pre_enqueue_); }
  const QueueSort* queue_sort() const { return pointer(queue_sort_); }
  const Hints* hints() const { return pointer(hints_); }
  const PreFilter* pre_filter() const { return pointer(pre_filter_); }
  const Filter* filter() const { return pointer(filter_); }
  const PostFilter* post_filter() const { return pointer(post_filter_); }
  const PreScore* pre_score() const { return pointer(pre_score_); }
  const Score* score() const { return pointer(score_); }
  const Reserve* reserve() const { return pointer(reserve_); }
  const Permit* permit() const { return pointer(permit_); }
  const PreBind* pre_bind() const { return pointer(pre_bind_); }
  const Bind* bind() const { return pointer(bind_); }
  const PostBind* post_bind() const { return pointer(post_bind_); }
  const OverlayState* overlay_state() const { return pointer(overlay_state_); }

  // The hook at a point, for code that treats all points alike; null as above.
  const Hook* hook(Point point) const;

 private:
  template <typename T>
  static const T* pointer(const std::optional<T>& hook) {
    return hook ? &*hook : nullptr;
  }

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

  std::optional<PreEnqueue> pre_enqueue_;
  std::optional<QueueSort> queue_sort_;
  std::optional<Hints> hints_;
  std::optional<PreFilter> pre_filter_;
  std::optional<Filter> filter_;
  std::optional<PostFilter> post_filter_;
  std::optional<PreScore> pre_score_;
  std::optional<Score> score_;
  std::optional<Reserve> reserve_;
  std::optional<Permit> permit_;
  std::optional<PreBind> pre_bind_;
  std::optional<Bind> bind_;
  std::optional<PostBind> post_bind_;
  std::optional<OverlayState> overlay_state_;
};

}  // namespace berth::host
