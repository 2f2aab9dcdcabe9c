#pragma once

// `prepare`: the work of a hook that is done once for all pods of a template, and the choice of the
// columns that calls for this template get.

#include <memory>

#include "berth/sdk/hook.hpp"
#include "berth/sdk/plugin_base.hpp"

namespace berth::sdk {

// Collects what `prepare` decides about calls for a template. If nothing is kept or added, calls
// get all declared columns; otherwise only those kept or added: a hook that adds a column keeps
// every other one that its calls read, or says keep_all(). Reading one that was left out throws
// Failure.
class Preparation {
 public:
  Preparation(const Hook& hook, Narrowing& narrowing) : hook_(hook), narrowing_(narrowing) {}

  // Filter: the hook refuses no node. Score: the score is 0 on every node. PreFilter, PreScore: the
  // answer is SKIP. The host may skip the call.
  void passes() { flags_ |= BERTH_PREPARED_PASSES; }

  // Passes these declared inputs to calls, and no other that is not kept as well. Optional inputs
  // that the host does not have are left out.
  template <class... Inputs>
  void keep(const Inputs&... inputs) {
    (keep_one(inputs.index()), ...);
  }
  // Passes all declared inputs but families, beside what is added.
  void keep_all() {
    for (uint32_t i = 0; i < hook_.ids().size(); ++i)
      if (!hook_.ids()[i].ends_with(":*")) keep_one(i);
  }
  // Passes a column that the declaration covers, by its id as text or as the columns service gave
  // it. Throws Failure if there is no such column.
  template <Element T>
  Slot<T> add(std::string_view id) {
    return add<T>(find(id));
  }
  template <Element T>
  Slot<T> add(uint32_t id) {
    start();
    narrowing_.ids.push_back(id);
    return {static_cast<uint32_t>(narrowing_.ids.size() - 1)};
  }

  uint32_t flags() const { return flags_; }

 private:
  void start() {
    if (narrowing_.places.empty())
      narrowing_.places.assign(hook_.ids().size(), Narrowing::kLeftOut);
  }
  void keep_one(uint32_t index) {
    start();
    if (index >= narrowing_.places.size() || narrowing_.places[index] != Narrowing::kLeftOut)
      return;
    narrowing_.places[index] = static_cast<uint32_t>(narrowing_.ids.size());
    narrowing_.ids.push_back(find(hook_.ids()[index]));
  }
  uint32_t find(std::string_view id) const {
    if (hook_.columns() == nullptr)
      throw Failure("this host has no service " BERTH_COLUMNS_SERVICE);
    const uint32_t column = hook_.columns()->find(hook_.host(), to_abi(id));
    if (column == 0) throw Failure(concat("this host has no column ", id));
    return column;
  }

  const Hook& hook_;
  Narrowing& narrowing_;
  uint32_t flags_ = 0;
};

// The base class of all extension points. State: what `prepare` fills in; NoState: the hook has no
// `prepare`.
template <Point kPoint, class State>
class HookOf : public Hook {
 public:
  using Call = sdk::Call<State>;
  using PreparedState = State;

 protected:
  HookOf() : Hook(kPoint) {}

  // [cycle] Called once per template. `state` is default-constructed; it lives until no pod needs
  // it.
  virtual void prepare(const Template&, Preparation&, State&) {}

  // [any] Writes the texts of a reason that this hook gave, one `write` each.
  virtual void describe(const Call&, uint32_t reason, const TextSink& sink) const {
    write_reason(reason, sink);
  }

  static HookOf& of(berth_plugin* plugin) {
    return static_cast<HookOf&>(*Plugin::from_abi(plugin).hook(kPoint));
  }

  const berth_hook* complete() {
    berth_hook* hook = Hook::complete();
    if constexpr (!std::is_same_v<State, NoState>) {
      hook->prepare = prepare_hook;
      hook->release = release_hook;
    }
    hook->describe = describe_hook;
    return hook;
  }

 private:
  static berth_code prepare_hook(berth_plugin* plugin, const berth_template* pod,
                                 berth_prepared* prepared) {
    return guarded(pod->error, [&] {
      auto made = std::make_unique<Prepared<State>>();
      HookOf& self = of(plugin);
      Preparation preparation(self, made->narrowing);
      self.prepare(Template(pod), preparation, made->state);
      prepared->flags = preparation.flags();
      if (!made->narrowing.places.empty() || !made->narrowing.ids.empty()) {
        prepared->inputs = made->narrowing.ids.data();
        prepared->input_count = static_cast<uint32_t>(made->narrowing.ids.size());
      }
      prepared->state = made.release();
    });
  }
  static void release_hook(berth_plugin*, void* state) {
    delete static_cast<Prepared<State>*>(state);
  }
  static void describe_hook(berth_plugin* plugin, const berth_call* call, uint32_t reason,
                            const berth_text_sink* sink) {
    guarded(sink, [&] { of(plugin).describe(Call(call), reason, TextSink(sink)); });
  }
};

}  // namespace berth::sdk
