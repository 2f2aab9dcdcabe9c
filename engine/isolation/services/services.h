#pragma once

// The services of the engine that a plugin's process asks for, and how their functions cross.
//
// A function that is added to a service gets a line in its list here, and both sides have it. A
// line in another place is needed only where the types do not say all (services/ways.h). A service
// that is added is described here and is named in AskedServices.

#include "berth/abi/bind.h"
#include "berth/abi/counts.h"
#include "berth/abi/external.h"
#include "berth/abi/metrics.h"
#include "berth/abi/numbers.h"
#include "berth/abi/rules.h"
#include "berth/abi/signing.h"
#include "engine/isolation/channel/calls.h"
#include "engine/isolation/services/ways.h"

namespace berth::isolation {

// Asks: the functions that ask the engine. kOwn: how many the process has itself
// (child/own_services.cc).
template <typename Service>
struct Described;
struct AsksAlways {
  static constexpr size_t kOwn = 0;
};

template <>
struct Described<berth_log_service> : AsksAlways {
  static constexpr const char* kId = BERTH_LOG_SERVICE;
  using Asks = Functions<&berth_log_service::write, &berth_log_service::shows>;
};

// Not a service that is looked up: the arguments of `validate` and `init`.
template <>
struct Described<berth_config> : AsksAlways {
  using Config = berth_config;
  using Asks = Functions<&Config::kind, &Config::length, &Config::element, &Config::member,
                         &Config::accept, &Config::boolean, &Config::integer, &Config::number,
                         &Config::string, &Config::error, &Config::members, &Config::member_at,
                         &Config::quantity, &Config::duration, &Config::rule>;
};
template <>
inline constexpr uint32_t kFailure<&berth_config::element> = BERTH_CONFIG_ABSENT;
template <>
inline constexpr uint32_t kFailure<&berth_config::member> = BERTH_CONFIG_ABSENT;
template <>
inline constexpr uint32_t kFailure<&berth_config::member_at> = BERTH_CONFIG_ABSENT;
template <>
inline constexpr int32_t kFailure<&berth_config::rule> = BERTH_RULE_UNKNOWN;

// Not a service that is looked up: the sink of `numbers`.
template <>
struct Described<berth_numbers_sink> : AsksAlways {
  using Sink = berth_numbers_sink;
  using Asks = Functions<&Sink::item, &Sink::number, &Sink::text, &Sink::term, &Sink::pods>;
};

template <>
struct Described<berth_strings_service> {
  using Strings = berth_strings_service;
  static constexpr const char* kId = BERTH_STRINGS_SERVICE;
  using Asks = Functions<&Strings::intern, &Strings::find, &Strings::text>;
  static constexpr size_t kOwn = 2;
};

template <>
struct Described<berth_columns_service> : AsksAlways {
  static constexpr const char* kId = BERTH_COLUMNS_SERVICE;
  using Asks = Functions<&berth_columns_service::find>;
};

template <>
struct Described<berth_selectors_service> : AsksAlways {
  using Selectors = berth_selectors_service;
  static constexpr const char* kId = BERTH_SELECTORS_SERVICE;
  using Asks = Functions<&Selectors::match_column, &Selectors::problem, &Selectors::node_selector,
                         &Selectors::node_selector_term, &Selectors::label_selector>;
};

template <>
struct Described<berth_bindings_service> {
  static constexpr const char* kId = BERTH_BINDINGS_SERVICE;
  using Asks = Functions<&berth_bindings_service::write>;
  static constexpr size_t kOwn = 1;
};

template <>
struct Described<berth_counts_service> : AsksAlways {
  using Counts = berth_counts_service;
  static constexpr const char* kId = BERTH_COUNTS_SERVICE;
  using Asks = Functions<&Counts::term, &Counts::query, &Counts::node_counts,
                         &Counts::domain_counts, &Counts::total, &Counts::minimum, &Counts::domains,
                         &Counts::carry, &Counts::node_carried, &Counts::carriers>;
};

template <>
struct Described<berth_waiting_service> : AsksAlways {
  using Waiting = berth_waiting_service;
  static constexpr const char* kId = BERTH_WAITING_SERVICE;
  using Asks = Functions<&Waiting::each, &Waiting::allow, &Waiting::reject, &Waiting::activate>;
};

template <>
struct Described<berth_volumes_service> : AsksAlways {
  using Volumes = berth_volumes_service;
  static constexpr const char* kId = BERTH_VOLUMES_SERVICE;
  using Asks = Functions<&Volumes::version, &Volumes::claim, &Volumes::volume,
                         &Volumes::storage_class, &Volumes::csi_driver, &Volumes::next_claim,
                         &Volumes::next_volume, &Volumes::next_csi_node, &Volumes::next_capacity,
                         &Volumes::next_attachment, &Volumes::selects, &Volumes::node_matches,
                         &Volumes::assume_volume, &Volumes::assume_claim, &Volumes::forget_volume,
                         &Volumes::forget_claim, &Volumes::write_volume, &Volumes::write_claim,
                         &Volumes::written_claim, &Volumes::written_volume>;
};

template <>
struct Described<berth_what_if_service> {
  using WhatIf = berth_what_if_service;
  static constexpr const char* kId = BERTH_WHAT_IF_SERVICE;
  using Asks =
      Functions<&WhatIf::begin, &WhatIf::pods, &WhatIf::remove_pod, &WhatIf::add_pod,
                &WhatIf::reset, &WhatIf::filter, &WhatIf::reasons, &WhatIf::end, &WhatIf::stamps>;
  static constexpr size_t kOwn = 1;
};

template <>
struct Described<berth_preempt_extenders_service> {
  using Extenders = berth_preempt_extenders_service;
  static constexpr const char* kId = BERTH_PREEMPT_EXTENDERS_SERVICE;
  using Asks = Functions<&Extenders::ask, &Extenders::present>;
  static constexpr size_t kOwn = 1;
};

template <>
struct Described<berth_metrics_service> {
  using Metrics = berth_metrics_service;
  static constexpr const char* kId = BERTH_METRICS_SERVICE;
  using Asks = Functions<&Metrics::counter, &Metrics::gauge>;
  static constexpr size_t kOwn = 2;
};

template <>
struct Described<berth_rules_service> : AsksAlways {
  static constexpr const char* kId = BERTH_RULES_SERVICE;
  using Asks = Functions<&berth_rules_service::holds, &berth_rules_service::version>;
};

template <>
struct Described<berth_signing_service> : AsksAlways {
  using Signing = berth_signing_service;
  static constexpr const char* kId = BERTH_SIGNING_SERVICE;
  using Asks = Functions<&Signing::compares, &Signing::compares_column>;
};

template <>
struct Described<berth_external_service> {
  static constexpr const char* kId = BERTH_EXTERNAL_SERVICE;
  using Asks = Functions<&berth_external_service::epoch>;
  static constexpr size_t kOwn = 2;
};

using AskedServices = Types<berth_log_service, berth_strings_service, berth_columns_service,
                            berth_selectors_service, berth_bindings_service, berth_counts_service,
                            berth_waiting_service, berth_volumes_service, berth_what_if_service,
                            berth_preempt_extenders_service, berth_metrics_service,
                            berth_rules_service, berth_signing_service, berth_external_service>;

namespace ways {

template <typename... Tables>
auto all_of(Types<Tables...>) -> decltype((typename Described<Tables>::Asks() + ...));

template <typename Table>
concept HasContext = requires(Table table) {
  table.context;
};

// A member that is forgotten would be null in the process.
template <typename Table, auto... kMembers>
constexpr bool is_whole(Functions<kMembers...>) {
  constexpr size_t kHead = HasContext<Table> ? 16 : 8;
  return sizeof(Table) == kHead + (sizeof...(kMembers) + Described<Table>::kOwn) * sizeof(void*);
}
template <typename... Tables>
constexpr bool are_whole(Types<Tables...>) {
  return (is_whole<Tables>(typename Described<Tables>::Asks()) && ...);
}
static_assert(are_whole(AskedServices()) && are_whole(Types<berth_config, berth_numbers_sink>()));

}  // namespace ways

using AllFunctions = decltype(ways::all_of(AskedServices()) +
                              ways::all_of(Types<berth_config, berth_numbers_sink>()));

// The question of a function.
template <auto kMember>
inline constexpr Ask kAsk = static_cast<Ask>(static_cast<uint32_t>(Ask::kFunction) +
                                             ways::index_in<kMember>(AllFunctions()));

}  // namespace berth::isolation
