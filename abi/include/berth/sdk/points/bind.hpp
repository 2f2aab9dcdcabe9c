#pragma once

// The extension points after a node was chosen. A position is one (pod, node) pair; there is no
// prepared state. Derive from a class, declare inputs, override the function. The C contracts are
// in berth/abi/bind.h and observe.h, and what runs at the same time in bind.h: a [bind] function
// and a [cycle] function of one plugin may, so data that they share needs protection.

#include <chrono>
#include <cstdint>
#include <span>

#include "berth/abi/bind.h"
#include "berth/abi/observe.h"
#include "berth/sdk/points/prepare.hpp"

namespace berth::sdk {

// Called after the pod was assumed on the node.
class Reserve : public HookOf<Point::kReserve, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), follows_pre_filter() ? BERTH_RESERVE_FOLLOWS_PRE_FILTER : 0,
              complete(), reserve_hook, unreserve_hook};
    return &table_;
  }

 protected:
  // [cycle] Writes a code per position, and a reason for each refusal.
  virtual void reserve(const Call& call, std::span<uint8_t> codes,
                       std::span<uint32_t> reasons) const = 0;
  // [cycle] Called when Reserve or any later step failed, even if this plugin's own reserve()
  // failed. Must be idempotent. An exception becomes an error in the log.
  virtual void unreserve(const Call& call) const = 0;
  // [init] True: both do nothing about pods that the plugin's PreFilter skips, so the host may
  // leave out these calls.
  virtual bool follows_pre_filter() const { return false; }

 private:
  static berth_code reserve_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                                 uint32_t* reasons) {
    return guarded(call->error, [&] {
      static_cast<Reserve&>(of(plugin))
          .reserve(Call(call), {codes, call->count}, {reasons, call->count});
    });
  }
  static void unreserve_hook(berth_plugin* plugin, const berth_call* call) {
    const auto& self = static_cast<const Reserve&>(of(plugin));
    self.logged("Unreserve", [&] { self.unreserve(Call(call)); });
  }

  berth_reserve table_{};
};

// Allows, delays or refuses the placement before binding.
class Permit : public HookOf<Point::kPermit, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), permit_hook};
    return &table_;
  }

 protected:
  // [cycle] Writes a code per position; with BERTH_WAIT also the timeout.
  virtual void permit(const Call& call, std::span<uint8_t> codes, std::span<uint32_t> reasons,
                      std::span<int64_t> timeout_nanoseconds) const = 0;

 private:
  static berth_code permit_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                                uint32_t* reasons, int64_t* timeout_nanoseconds) {
    return guarded(call->error, [&] {
      static_cast<Permit&>(of(plugin))
          .permit(Call(call), {codes, call->count}, {reasons, call->count},
                  {timeout_nanoseconds, call->count});
    });
  }

  berth_permit table_{};
};

// Work that must be done before the pod is bound.
class PreBind : public HookOf<Point::kPreBind, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), flags(), complete(), pre_flight_hook, pre_bind_hook, nullptr, 0};
    return &table_;
  }

 protected:
  // [cycle] BERTH_SKIP: pre_bind() has nothing to do for that position. Default: never skips.
  virtual void pre_flight(const Call&, std::span<uint8_t> codes) const {
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }
  // [bind] Codes: BERTH_SUCCESS, BERTH_ERROR or a refusal.
  virtual void pre_bind(const Call& call, std::span<uint8_t> codes) const = 0;
  // [init] BERTH_PRE_BIND_ bits.
  virtual uint32_t flags() const { return 0; }

 private:
  static berth_code pre_flight_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return guarded(call->error, [&] {
      static_cast<PreBind&>(of(plugin)).pre_flight(Call(call), {codes, call->count});
    });
  }
  static berth_code pre_bind_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return guarded(call->error, [&] {
      static_cast<PreBind&>(of(plugin)).pre_bind(Call(call), {codes, call->count});
    });
  }

  berth_pre_bind table_{};
};

// The same for work that takes time: pre_bind() may answer BERTH_WAIT and is called again.
class WaitingPreBind : public HookOf<Point::kPreBind, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), flags(),       complete(),          pre_flight_hook,
              nullptr,        pre_bind_hook, wait_limit().count()};
    return &table_;
  }

 protected:
  // [cycle] As in PreBind.
  virtual void pre_flight(const Call&, std::span<uint8_t> codes) const {
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }
  // [bind] Codes: BERTH_SUCCESS, BERTH_WAIT, BERTH_ERROR or a refusal. `waited_nanoseconds`: 0 in
  // the first call for a placement, then the time since its first WAIT. `again_nanoseconds`: after
  // which a WAIT is called again; 0, which it is before: BERTH_PRE_BIND_AGAIN_SECONDS.
  virtual void pre_bind(const Call& call, std::span<const int64_t> waited_nanoseconds,
                        std::span<uint8_t> codes, std::span<int64_t> again_nanoseconds) const = 0;
  // [init] The longest wait of a pod; 0: BERTH_PRE_BIND_LIMIT_SECONDS.
  virtual std::chrono::nanoseconds wait_limit() const { return {}; }
  // [init] BERTH_PRE_BIND_ bits.
  virtual uint32_t flags() const { return 0; }

 private:
  static berth_code pre_flight_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return guarded(call->error, [&] {
      static_cast<WaitingPreBind&>(of(plugin)).pre_flight(Call(call), {codes, call->count});
    });
  }
  static berth_code pre_bind_hook(berth_plugin* plugin, const berth_call* call,
                                  const int64_t* waited_nanoseconds, uint8_t* codes,
                                  int64_t* again_nanoseconds) {
    return guarded(call->error, [&] {
      static_cast<WaitingPreBind&>(of(plugin))
          .pre_bind(Call(call), {waited_nanoseconds, call->count}, {codes, call->count},
                    {again_nanoseconds, call->count});
    });
  }

  berth_pre_bind table_{};
};

// Binds pods.
class Bind : public HookOf<Point::kBind, NoState> {
 public:
  Bind() = default;
  // `flags`: BERTH_BIND_ bits.
  explicit Bind(uint32_t flags) : flags_(flags) {}

  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), bind_hook, flags_, 0};
    return &table_;
  }

 protected:
  // [bind] Codes: BERTH_SUCCESS, BERTH_SKIP or BERTH_ERROR. Must not bind positions that are not
  // wanted(): an earlier plugin has bound them.
  virtual void bind(const Call& call, std::span<uint8_t> codes) const = 0;

 private:
  static berth_code bind_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return guarded(call->error, [&] {
      static_cast<Bind&>(of(plugin)).bind(Call(call), {codes, call->count});
    });
  }

  uint32_t flags_ = 0;
  berth_bind table_{};
};

// Notifies the plugin of pods that were bound.
class PostBind : public HookOf<Point::kPostBind, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), post_bind_hook};
    return &table_;
  }

 protected:
  // [bind] An exception becomes an error in the log.
  virtual void post_bind(const Call& call) const = 0;

 private:
  static void post_bind_hook(berth_plugin* plugin, const berth_call* call) {
    const auto& self = static_cast<const PostBind&>(of(plugin));
    self.logged("PostBind", [&] { self.post_bind(Call(call)); });
  }

  berth_post_bind table_{};
};

// Tells which bound pods the cluster has, so that what the plugin keeps of them can follow.
class Observe : public HookOf<Point::kObserve, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), bound_hook, changed_hook, left_hook, node_left_hook};
    return &table_;
  }

 protected:
  // [cycle] The pods are bound now; what Reserve took of them stays taken. An exception
  // becomes an error in the log, as in the functions below.
  virtual void bound(const Call& call) const = 0;
  // [cycle] The objects of bound pods were replaced.
  virtual void changed(const Call&) const {}
  // [cycle] Bound pods are about to leave their nodes.
  virtual void left(const Call& call) const = 0;
  // [cycle] Nodes are about to be removed; values of node.name. left() of their pods comes all the
  // same.
  virtual void node_left(std::span<const uint32_t>) const {}

 private:
  static void bound_hook(berth_plugin* plugin, const berth_call* call) {
    const auto& self = static_cast<const Observe&>(of(plugin));
    self.logged("bound", [&] { self.bound(Call(call)); });
  }
  static void changed_hook(berth_plugin* plugin, const berth_call* call) {
    const auto& self = static_cast<const Observe&>(of(plugin));
    self.logged("changed", [&] { self.changed(Call(call)); });
  }
  static void left_hook(berth_plugin* plugin, const berth_call* call) {
    const auto& self = static_cast<const Observe&>(of(plugin));
    self.logged("left", [&] { self.left(Call(call)); });
  }
  static void node_left_hook(berth_plugin* plugin, uint64_t count, const uint32_t* nodes) {
    const auto& self = static_cast<const Observe&>(of(plugin));
    self.logged("node_left", [&] { self.node_left({nodes, count}); });
  }

  berth_observe table_{};
};

}  // namespace berth::sdk
