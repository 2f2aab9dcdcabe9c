#pragma once

// From a chosen node to a running pod. A position is one (pod, node) pair. Derive, declare inputs,
// override.

#include <span>

#include "berth/abi/bind.h"
#include "berth/sdk/prepare.hpp"

namespace berth::sdk {

// The pod was assumed on the node.
class Reserve : public HookOf<Point::kReserve, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), reserve_hook, unreserve_hook};
    return &table_;
  }

 protected:
  // [cycle]
  virtual void reserve(const Call& call, std::span<uint8_t> codes,
                       std::span<uint32_t> reasons) const = 0;
  // [cycle] Idempotent, and must not throw.
  virtual void unreserve(const Call& call) const noexcept = 0;

 private:
  static berth_code reserve_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes,
                                 uint32_t* reasons) {
    return guarded(call->error, [&] {
      static_cast<Reserve&>(of(plugin))
          .reserve(Call(call), {codes, call->count}, {reasons, call->count});
    });
  }
  static void unreserve_hook(berth_plugin* plugin, const berth_call* call) {
    static_cast<Reserve&>(of(plugin)).unreserve(Call(call));
  }

  berth_reserve table_{};
};

// The last word before binding.
class Permit : public HookOf<Point::kPermit, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), permit_hook};
    return &table_;
  }

 protected:
  // [cycle] A BERTH_WAIT needs its timeout.
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
    table_ = {sizeof(table_), 0, complete(), pre_flight_hook, pre_bind_hook};
    return &table_;
  }

 protected:
  // [cycle] BERTH_SKIP: nothing to do for that placement.
  virtual void pre_flight(const Call&, std::span<uint8_t> codes) const {
    for (uint8_t& code : codes) code = BERTH_SUCCESS;
  }
  // [bind]
  virtual void pre_bind(const Call& call, std::span<uint8_t> codes) const = 0;

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

// The binding itself.
class Bind : public HookOf<Point::kBind, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), bind_hook};
    return &table_;
  }

 protected:
  // [bind] Positions that are not wanted() were bound by an earlier plugin.
  virtual void bind(const Call& call, std::span<uint8_t> codes) const = 0;

 private:
  static berth_code bind_hook(berth_plugin* plugin, const berth_call* call, uint8_t* codes) {
    return guarded(call->error, [&] {
      static_cast<Bind&>(of(plugin)).bind(Call(call), {codes, call->count});
    });
  }

  berth_bind table_{};
};

// For information.
class PostBind : public HookOf<Point::kPostBind, NoState> {
 public:
  const void* table() final {
    table_ = {sizeof(table_), 0, complete(), post_bind_hook};
    return &table_;
  }

 protected:
  // [bind] Must not throw.
  virtual void post_bind(const Call& call) const noexcept = 0;

 private:
  static void post_bind_hook(berth_plugin* plugin, const berth_call* call) {
    static_cast<PostBind&>(of(plugin)).post_bind(Call(call));
  }

  berth_post_bind table_{};
};

}  // namespace berth::sdk
