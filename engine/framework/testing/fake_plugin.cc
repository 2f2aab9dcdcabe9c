#include "engine/framework/testing/fake_plugin.h"

#include <algorithm>

#include "engine/host/instance/text.h"
#include "engine/model/objects/names.h"

namespace berth::framework::testing {

using host::to_abi;

// The C tables. Functions find the plugin behind the opaque pointer.
struct FakePlugin::Tables {
  struct Declaration {
    berth_hook hook{};
    std::vector<berth_string> inputs;
  };

  static FakePlugin& of(berth_plugin* plugin) { return *reinterpret_cast<FakePlugin*>(plugin); }

  template <typename Body>
  static berth_code guarded(const berth_text_sink* sink, Body&& body) {
    try {
      body();
      return BERTH_SUCCESS;
    } catch (const FakeFailure& failure) {
      sink->write(sink->context, to_abi(failure.text));
      return BERTH_ERROR;
    }
  }

  template <FakeHook FakePlugin::*kHook>
  static berth_code prepare(berth_plugin* plugin, const berth_template* pod,
                            berth_prepared* prepared) {
    const FakeHook& hook = of(plugin).*kHook;
    prepared->flags = hook.passes ? BERTH_PREPARED_PASSES : 0;
    return guarded(pod->error, [&] { prepared->state = new int64_t(hook.prepare(*pod)); });
  }
  static void release(berth_plugin*, void* state) { delete static_cast<int64_t*>(state); }
  static void describe(berth_plugin* plugin, const berth_call*, uint32_t reason,
                       const berth_text_sink* sink) {
    const std::string text = of(plugin).name_ + " says " + std::to_string(reason);
    sink->write(sink->context, to_abi(text));
  }

  static berth_code pre_filter(berth_plugin* plugin, const berth_call* call,
                               berth_pre_filter_result* result) {
    return guarded(call->error, [&] { of(plugin).pre_filter(FakeCall(*call), *result); });
  }
  static berth_code filter(berth_plugin* plugin, const berth_call* call, uint8_t* verdicts) {
    if (const auto& begins = of(plugin).filter_call)
      if (guarded(call->error, [&] { begins(FakeCall(*call)); }) != 0) return BERTH_ERROR;
    for (size_t i = 0; i < call->count; ++i)
      if (guarded(call->error, [&] { verdicts[i] = of(plugin).filter(FakeCall(*call), i); }) != 0)
        verdicts[i] = BERTH_ERROR;
    return BERTH_SUCCESS;
  }
  static berth_code reasons(berth_plugin*, const berth_call* call, uint32_t* reasons) {
    std::fill_n(reasons, call->count, 1u);
    return BERTH_SUCCESS;
  }
  static berth_code post_filter(berth_plugin* plugin, const berth_call* call, const uint8_t* codes,
                                uint64_t draw, berth_nomination* nomination) {
    return guarded(call->error,
                   [&] { of(plugin).post_filter(FakeCall(*call), codes, draw, *nomination); });
  }
  static berth_code pre_score(berth_plugin* plugin, const berth_call* call,
                              const berth_feasible* feasible, berth_pre_score_result* result) {
    return guarded(call->error, [&] { of(plugin).pre_score(FakeCall(*call), feasible, *result); });
  }
  static berth_code score(berth_plugin* plugin, const berth_call* call, int64_t* raw) {
    return guarded(call->error, [&] {
      for (size_t i = 0; i < call->count; ++i) raw[i] = of(plugin).score(FakeCall(*call), i);
    });
  }
  static berth_code normalise_own(berth_plugin* plugin, uint64_t count, const int64_t* raw, int64_t,
                                  int64_t, int64_t* final) {
    std::transform(raw, raw + count, final, of(plugin).normalise_own);
    return BERTH_SUCCESS;
  }

  static berth_code normalise_pod(berth_plugin* plugin, const berth_call* call, const int64_t* raw,
                                  int64_t, int64_t, int64_t* final) {
    return guarded(call->error, [&] {
      for (size_t i = 0; i < call->count; ++i)
        final[i] = of(plugin).normalise_pod(FakeCall(*call), raw[i]);
    });
  }

  static uint32_t actions(berth_plugin* plugin, uint32_t kind) { return of(plugin).actions(kind); }
  static berth_code hint(berth_plugin* plugin, const berth_call* call, const berth_event* event,
                         uint8_t* queue) {
    return guarded(call->error, [&] { *queue = of(plugin).hint(FakeCall(*call), *event); });
  }

  static void* begin(berth_plugin*, const void* base) {
    return new int64_t(*static_cast<const int64_t*>(base));
  }
  static berth_code follow(berth_plugin* plugin, void* scratch, const berth_call* pod, uint32_t row,
                           int sign) {
    return guarded(pod->error, [&] {
      of(plugin).follow(*static_cast<int64_t*>(scratch), FakeCall(*pod), row, sign);
    });
  }
  static berth_code add_pod(berth_plugin* plugin, void* scratch, const berth_call* pod,
                            uint32_t row) {
    return follow(plugin, scratch, pod, row, 1);
  }
  static berth_code remove_pod(berth_plugin* plugin, void* scratch, const berth_call* pod,
                               uint32_t row) {
    return follow(plugin, scratch, pod, row, -1);
  }
  static void reset(berth_plugin*, void* scratch, const void* base) {
    *static_cast<int64_t*>(scratch) = *static_cast<const int64_t*>(base);
  }
  static void end(berth_plugin*, void* scratch) { delete static_cast<int64_t*>(scratch); }

  // Sets the code of each wanted position to what body(position) returns.
  template <typename Body>
  static berth_code each(const berth_call* call, uint8_t* codes, Body&& body) {
    for (size_t i = 0; i < call->count; ++i) {
      if (!FakeCall(*call).wanted(i)) continue;
      try {
        codes[i] = body(i);
      } catch (const FakeFailure& failure) {
        call->error->write(call->error->context, to_abi(failure.text));
        codes[i] = failure.code;
      }
    }
    return BERTH_SUCCESS;
  }
  static berth_code reserve(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                            uint32_t* reasons) {
    reasons[0] = 1;
    return each(call, codes, [&](size_t) { return of(plugin).reserve(FakeCall(*call)); });
  }
  static void unreserve(berth_plugin* plugin, const berth_call* call) {
    of(plugin).unreserve(FakeCall(*call));
  }
  static berth_code permit(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                           uint32_t* reasons, int64_t* timeouts) {
    reasons[0] = 1;
    return each(call, codes,
                [&](size_t i) { return of(plugin).permit(FakeCall(*call), timeouts[i]); });
  }
  static berth_code pre_flight(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return each(call, codes, [&](size_t i) { return of(plugin).pre_flight(FakeCall(*call), i); });
  }
  static berth_code pre_bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return each(call, codes, [&](size_t i) { return of(plugin).pre_bind(FakeCall(*call), i); });
  }
  static berth_code pre_bind_or_wait(berth_plugin* plugin, const berth_call* call,
                                     const int64_t* waited, uint8_t* codes, int64_t* again) {
    return each(call, codes, [&](size_t i) {
      return of(plugin).pre_bind_or_wait(FakeCall(*call), i, waited[i], again[i]);
    });
  }
  static berth_code bind(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return each(call, codes, [&](size_t i) { return of(plugin).bind(FakeCall(*call), i); });
  }
  static void post_bind(berth_plugin* plugin, const berth_call* call) {
    for (size_t i = 0; i < call->count; ++i)
      if (FakeCall(*call).wanted(i)) of(plugin).post_bind(FakeCall(*call), i);
  }

  template <FakeHook FakePlugin::*kHook>
  static const berth_hook* declare(const FakePlugin& plugin, Declaration& declaration) {
    const FakeHook& hook = plugin.*kHook;
    for (const std::string& input : hook.inputs) declaration.inputs.push_back(to_abi(input));
    declaration.hook.size = sizeof declaration.hook;
    declaration.hook.depends = hook.depends;
    declaration.hook.space = to_abi(hook.space);
    declaration.hook.inputs = declaration.inputs.data();
    declaration.hook.input_count = static_cast<uint32_t>(declaration.inputs.size());
    if (hook.prepare) {
      declaration.hook.prepare = prepare<kHook>;
      declaration.hook.release = release;
    }
    declaration.hook.describe = describe;
    return &declaration.hook;
  }

  // The hooks of the host over the tables.
  Tables(FakePlugin& plugin, const host::Environment& environment) {
    const host::Hook::Owner owner{reinterpret_cast<berth_plugin*>(&plugin), plugin.name_,
                                  &environment};
    std::array<Declaration, 7> declared;
    if (plugin.pre_filter)
      pre_filter_hook.emplace(
          owner,
          berth_pre_filter{sizeof(berth_pre_filter), 0,
                           declare<&FakePlugin::pre_filter_hook>(plugin, declared[0]), pre_filter});
    if (plugin.filter)
      filter_hook.emplace(
          owner, berth_filter{sizeof(berth_filter), 0,
                              declare<&FakePlugin::filter_hook>(plugin, declared[1]), filter,
                              reasons, nullptr});
    if (plugin.pre_score)
      pre_score_hook.emplace(
          owner,
          berth_pre_score{sizeof(berth_pre_score), 0,
                          declare<&FakePlugin::pre_score_hook>(plugin, declared[2]), pre_score});
    if (plugin.score)
      score_hook.emplace(owner,
                         berth_score{sizeof(berth_score), plugin.normalise,
                                     declare<&FakePlugin::score_hook>(plugin, declared[3]), score,
                                     plugin.normalise_own ? normalise_own : nullptr, nullptr,
                                     plugin.normalise_pod ? normalise_pod : nullptr});
    if (plugin.follow)
      overlay_hook.emplace(
          owner, berth_overlay_state{sizeof(berth_overlay_state), 0,
                                     declare<&FakePlugin::overlay_hook>(plugin, declared[4]), begin,
                                     add_pod, remove_pod, reset, end});
    if (plugin.post_filter)
      post_filter_hook.emplace(
          owner, berth_post_filter{sizeof(berth_post_filter), 0,
                                   declare<&FakePlugin::post_filter_hook>(plugin, declared[5]),
                                   post_filter});
    if (plugin.hint)
      hints_hook.emplace(
          owner, berth_hints{sizeof(berth_hints), 0,
                             declare<&FakePlugin::hints_hook>(plugin, declared[6]), actions, hint});
    add_binding(plugin, owner);
  }

  // Reserve to PostBind.
  void add_binding(FakePlugin& plugin, const host::Hook::Owner& owner) {
    Declaration declaration;
    const berth_hook* hook = declare<&FakePlugin::binding_hook>(plugin, declaration);
    if (plugin.reserve)
      reserve_hook.emplace(
          owner, berth_reserve{sizeof(berth_reserve),
                               plugin.reserve_follows ? BERTH_RESERVE_FOLLOWS_PRE_FILTER : 0, hook,
                               reserve, unreserve});
    if (plugin.permit)
      permit_hook.emplace(owner, berth_permit{sizeof(berth_permit), 0, hook, permit});
    if (plugin.pre_bind || plugin.pre_bind_or_wait) {
      berth_pre_bind table{};
      table.size = sizeof table;
      table.hook = hook;
      table.pre_flight = plugin.pre_flight ? pre_flight : nullptr;
      table.flags = plugin.pre_bind_parallel ? BERTH_PRE_BIND_PARALLEL : 0;
      if (plugin.pre_bind) table.pre_bind = pre_bind;
      if (plugin.pre_bind_or_wait) table.pre_bind_or_wait = pre_bind_or_wait;
      pre_bind_hook.emplace(owner, table);
    }
    if (plugin.bind) {
      berth_bind table{};
      table.size = sizeof table;
      table.hook = hook;
      table.bind = bind;
      bind_hook.emplace(owner, table);
    }
    if (plugin.post_bind)
      post_bind_hook.emplace(owner, berth_post_bind{sizeof(berth_post_bind), 0, hook, post_bind});
  }

  std::optional<host::PreFilter> pre_filter_hook;
  std::optional<host::Filter> filter_hook;
  std::optional<host::PreScore> pre_score_hook;
  std::optional<host::Score> score_hook;
  std::optional<host::OverlayState> overlay_hook;
  std::optional<host::PostFilter> post_filter_hook;
  std::optional<host::Hints> hints_hook;
  std::optional<host::Reserve> reserve_hook;
  std::optional<host::Permit> permit_hook;
  std::optional<host::PreBind> pre_bind_hook;
  std::optional<host::Bind> bind_hook;
  std::optional<host::PostBind> post_bind_hook;
};

PluginHooks FakePlugin::hooks(const host::Environment& environment) {
  tables_ = std::make_shared<Tables>(*this, environment);
  PluginHooks made;
  made.name = name_;
  made.signing = signing;
  const auto take = [&](const auto& hook) {
    if (hook) made.at[hook->kPoint] = &*hook;
  };
  take(tables_->pre_filter_hook);
  take(tables_->filter_hook);
  take(tables_->pre_score_hook);
  take(tables_->score_hook);
  take(tables_->overlay_hook);
  take(tables_->post_filter_hook);
  take(tables_->hints_hook);
  take(tables_->reserve_hook);
  take(tables_->permit_hook);
  take(tables_->pre_bind_hook);
  take(tables_->bind_hook);
  take(tables_->post_bind_hook);
  return made;
}

FakeWorld::FakeWorld(uint32_t nodes) {
  for (uint32_t i = 0; i < nodes; ++i) cluster_.put_node(node("n" + std::to_string(i)));
  cluster_.order_rows();
}

model::Node FakeWorld::node(const std::string& name) {
  model::Node made;
  made.name = name;
  made.allocatable = {{"cpu", model::Quantity::from_units(4)},
                      {"pods", model::Quantity::from_units(110)}};
  return made;
}

model::Pod FakeWorld::pod(const std::string& name, int64_t milli_cpu) {
  model::Pod made;
  made.namespace_name = "default";
  made.name = name;
  made.uid = "uid-" + name;
  made.spec.containers.emplace_back();
  made.spec.containers[0].requests = {{"cpu", model::Quantity::from_milli(milli_cpu)}};
  return made;
}

std::unique_ptr<Profile> FakeWorld::profile(std::vector<FakePlugin*> plugins) {
  ProfilePlan plan;
  plan.scheduler_name = model::kDefaultSchedulerName;
  std::vector<PluginHooks> hooks;
  for (FakePlugin* plugin : plugins) {
    const PluginHooks& made = hooks.emplace_back(plugin->hooks(environment_));
    for (const Point point : kConfiguredPoints)
      if (made.at[point] != nullptr) plan.plugins[point].push_back({made.name, 1});
  }
  return std::make_unique<Profile>(std::move(plan), hooks, cluster_);
}

}  // namespace berth::framework::testing
