#include "engine/host/instance/services/counts_service.h"

#include <array>
#include <exception>
#include <span>
#include <string>

#include "engine/base/error.h"
#include "engine/base/text/joined.h"
#include "engine/host/calls/checks/checks.h"
#include "engine/host/instance/services/service_thread.h"
#include "engine/host/instance/services/services.h"

namespace berth::host {
namespace {

const HostServices& of(const berth_host* host) { return HostServices::of(host); }

model::Cluster& cluster(const berth_host* host) { return of(host).environment().model.cluster(); }

// Exceptions must not pass through the plugin: they are logged under the plugin's name.
template <typename Answer>
uint32_t guarded(const berth_host* host, Answer&& answer) noexcept {
  if (refuses_thread(host, "a function of the counts service")) return 0;
  try {
    return answer(cluster(host));
  } catch (const std::exception& failure) {
    of(host).environment().log.write(BERTH_LOG_ERROR, of(host).plugin(),
                                     std::string("counts: ") + failure.what());
    return 0;
  }
}

[[noreturn]] void refuse(const std::string& what) { throw Error(what); }

// `last`: the last member that the struct had in ABI 1.0, so that those of older plugins are taken.
template <typename Struct, typename Member>
const Struct& checked(const Struct* given, Member Struct::*last, const char* name) {
  if (given == nullptr) refuse(std::string("no ") + name);
  const auto* end = reinterpret_cast<const char*>(&(given->*last) + 1);
  const auto least = static_cast<size_t>(end - reinterpret_cast<const char*>(given));
  if (given->size < least)
    refuse(std::string(name) + " of " + std::to_string(given->size) + " bytes, expected " +
           std::to_string(least));
  return *given;
}

std::span<const uint32_t> checked_list(const uint32_t* items, uint64_t count, const char* name) {
  constexpr uint64_t kMost = 65'536;
  if (count > kMost || (items == nullptr && count != 0))
    refuse(std::to_string(count) + " " + name + ", expected at most " + std::to_string(kMost) +
           " and where they are");
  return {items, static_cast<size_t>(count)};
}

void check_below(uint32_t id, uint32_t end, const char* name) {
  if (id >= end) refuse(std::string("unknown ") + name + " " + std::to_string(id));
}

void check_bits(uint32_t bits, uint32_t known, const char* name) {
  if ((bits & ~known) != 0) refuse(std::string("unknown ") + name + " " + std::to_string(bits));
}

uint32_t term(const berth_host* host, const berth_pod_term* given) {
  return guarded(host, [&](model::Cluster& cluster) {
    const berth_pod_term& raw = checked(given, &berth_pod_term::reserved, "term");
    if (const auto problem = reserved_problem(raw.reserved)) refuse("a term with " + *problem);
    model::LabelSelectors& selectors = cluster.label_selectors();
    for (uint32_t selector : {raw.selector, raw.namespace_selector})
      if (selector != 0 && !selectors.contains(selector))
        refuse("unknown label selector " + std::to_string(selector));
    model::PodTerm made;
    for (uint32_t name : checked_list(raw.namespaces, raw.namespace_count, "namespaces")) {
      check_below(name, cluster.strings().size(), "string");
      made.namespaces.push_back(name);
    }
    made.selector = raw.selector != 0 ? raw.selector : model::LabelSelectors::kEverything;
    if (raw.namespace_selector != 0) made.namespace_selector = raw.namespace_selector;
    if (raw.namespace_selector == 0 && made.namespaces.empty())
      made.namespace_selector = model::LabelSelectors::kEverything;
    return cluster.terms().of(std::move(made));
  });
}

void check_participant(model::Cluster& cluster, uint32_t column) {
  check_below(column, cluster.catalog().size(), "column");
  const model::ColumnInfo& info = cluster.catalog().info(column);
  if (cluster.find_column(info.id) != column) refuse("unknown column \"" + info.id + "\"");
  if (info.table != model::Table::kNodes || info.type != BERTH_U8 || info.list)
    refuse("the column \"" + info.id + "\" as a participant, expected a flat one of nodes, U8");
}

void check_key(model::Cluster& cluster, uint32_t key) {
  const std::string text(cluster.text(key));
  if (key != 0 && cluster.find_column("node.domain:" + text) == 0)
    refuse("\"" + text + "\" as a topology key");
}

// The resource whose requests a query sums up; 0: it counts pods.
uint32_t resource_of(model::Cluster& cluster, const berth_count_query& raw) {
  if (!BERTH_HAS(&raw, resource) || raw.resource.size == 0) return 0;
  if (raw.resource.data == nullptr) refuse("a resource without a name");
  const std::string_view name(raw.resource.data, raw.resource.size);
  if (cluster.find_column("node.requested:" + std::string(name)) == 0)
    refuse("\"" + std::string(name) + "\" as a resource");
  return cluster.strings().intern_counted(name);
}

uint32_t query(const berth_host* host, const berth_count_query* given) {
  return guarded(host, [&](model::Cluster& cluster) {
    const berth_count_query& raw = checked(given, &berth_count_query::flags, "query");
    check_below(raw.topology_key, cluster.strings().size(), "string");
    check_key(cluster, raw.topology_key);
    check_bits(raw.pods, BERTH_COUNTS_EVERY_POD, "kinds of pods");
    check_bits(raw.flags, BERTH_COUNTS_UNKNOWN_NAMESPACES | BERTH_COUNTS_UNLABELLED, "flags");
    model::CountQuery made;
    made.key = raw.topology_key;
    made.pods = raw.pods;
    made.unlabelled = (raw.flags & BERTH_COUNTS_UNLABELLED) != 0;
    made.unknown_namespaces = (raw.flags & BERTH_COUNTS_UNKNOWN_NAMESPACES) != 0;
    const auto terms = checked_list(raw.terms, raw.term_count, "terms");
    if (!cluster.counts().knows_terms(terms))
      for (const uint32_t one : terms) {
        if (one == 0) refuse("the term 0");
        check_below(one, cluster.terms().count() + 1, "term");
      }
    made.terms.assign(terms.begin(), terms.end());
    const auto participants =
        checked_list(raw.participants, raw.participant_count, "participant columns");
    if (!cluster.counts().knows_participants(participants))
      for (uint32_t column : participants) check_participant(cluster, column);
    made.participants.assign(participants.begin(), participants.end());
    made.resource = resource_of(cluster, raw);
    return cluster.counts().query(std::move(made));
  });
}

void check_query(model::Cluster& cluster, uint32_t query) {
  if (query == 0) refuse("the query 0");
  check_below(query, cluster.counts().count() + 1, "query");
}

// The column of a query, of that family.
uint32_t column_of(const berth_host* host, uint32_t query, const char* family) {
  return guarded(host, [&](model::Cluster& cluster) {
    check_query(cluster, query);
    const uint32_t column = cluster.find_column(family + std::to_string(query));
    if (column == 0)
      refuse("counts by domain of query " + std::to_string(query) + ", which has no topology key");
    return column;
  });
}

uint32_t counts(const berth_host* host, uint32_t query) { return column_of(host, query, "count:"); }
uint32_t node_counts(const berth_host* host, uint32_t query) {
  return column_of(host, query, "node.count:");
}
uint32_t total(const berth_host* host, uint32_t query) {
  return column_of(host, query, "count_total:");
}
uint32_t minimum(const berth_host* host, uint32_t query) {
  return column_of(host, query, "count_minimum:");
}
uint32_t domains(const berth_host* host, uint32_t query) {
  return column_of(host, query, "count_domains:");
}

model::TermGroup group_of(std::string_view column) {
  struct Known {
    std::string_view column;
    model::TermGroup group;
  };
  static constexpr std::array<Known, model::kTermGroups> kKnown = {
      {{"pod.pod_affinity_terms", model::TermGroup::kAffinity},
       {"pod.pod_anti_affinity_terms", model::TermGroup::kAntiAffinity},
       {"pod.preferred_pod_affinity_terms", model::TermGroup::kPreferredAffinity},
       {"pod.preferred_pod_anti_affinity_terms", model::TermGroup::kPreferredAntiAffinity}}};
  for (const Known& known : kKnown)
    if (known.column == column) return known.group;
  refuse("\"" + std::string(column) + "\" as carried terms, expected one of " +
         joined(kKnown, ", ", &Known::column));
}

uint32_t carry(const berth_host* host, const berth_carried_terms* given) {
  return guarded(host, [&](model::Cluster& cluster) {
    const berth_carried_terms& raw =
        checked(given, &berth_carried_terms::factor, "class of carried terms");
    check_bits(raw.flags, BERTH_COUNTS_UNKNOWN_NAMESPACES, "flags");
    if (raw.terms.data == nullptr) refuse("carried terms without a name");
    const std::string_view column(raw.terms.data, raw.terms.size);
    if (raw.factor > INT32_MAX || raw.factor < INT32_MIN)
      refuse("the factor " + std::to_string(raw.factor) + ", expected one of 32 bits");
    return cluster.carried().carry({group_of(column), raw.factor, raw.flags != 0});
  });
}

uint32_t column_of_set(const berth_host* host, uint32_t set, const char* family) {
  return guarded(host, [&](model::Cluster& cluster) {
    if (set == 0) refuse("the match set 0");
    check_below(set, cluster.carried().match_sets() + 1, "match set");
    return cluster.find_column(family + std::to_string(set));
  });
}

uint32_t node_carried(const berth_host* host, uint32_t set) {
  return column_of_set(host, set, "node.carried:");
}
uint32_t carriers(const berth_host* host, uint32_t set) {
  return column_of_set(host, set, "carriers:");
}

constexpr berth_counts_service kService = {sizeof kService, 0,      term,         query,
                                           node_counts,     counts, total,        minimum,
                                           domains,         carry,  node_carried, carriers};

}  // namespace

const berth_counts_service& counts_service() { return kService; }

}  // namespace berth::host
