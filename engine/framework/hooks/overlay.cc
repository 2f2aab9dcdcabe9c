#include "engine/framework/hooks/overlay.h"

#include <algorithm>
#include <utility>

#include "engine/base/assert.h"

namespace berth::framework {

void Overlay::reset(model::Row row) {
  row_ = row;
  changes_.clear();
  own_.clear();
  running_.clear();
  ports_begun_ = false;
}

void Overlay::copy_from(const Overlay& other) {
  BERTH_ASSERT(&cluster_ == &other.cluster_);
  reset(other.row_);
  changes_ = other.changes_;
  own_ = other.own_;
}

template <typename Amount>
int64_t Overlay::running(model::Attribute kind, uint32_t number, size_t part,
                         Amount&& amount) const {
  if (changes_.empty()) return 0;
  constexpr int kKindBits = 8, kPartBits = 24;
  BERTH_ASSERT(part < size_t{1} << kPartBits);
  const uint64_t key = uint64_t{number} << (kKindBits + kPartBits) | uint64_t{part} << kKindBits |
                       static_cast<uint64_t>(kind);
  Running& of = running_[key];
  // Wraps around, as the model's own sums do.
  for (; of.counted < changes_.size(); ++of.counted) {
    const Change& change = changes_[of.counted];
    of.sum += static_cast<uint64_t>(change.sign) * static_cast<uint64_t>(amount(change.pod));
  }
  return static_cast<int64_t>(of.sum);
}

// The difference that the changed pods make to a column that sums over pods; 0 for other columns.
int64_t Overlay::added(const model::ColumnInfo& info) const {
  switch (info.attribute) {
    case model::Attribute::kNodeCount: {
      // A node without a domain shows no count, even where it takes part as if its label were
      // empty.
      const model::Column* domains = cluster_.counts().domain_column(info.number);
      return domains != nullptr && code_in(domains) == 0 ? 0 : added_to_query(info.number);
    }
    case model::Attribute::kNodeCarried:
      return added_carried(info.number);
    default:
      return added_of_template(info);
  }
}

int64_t Overlay::added_of_template(const model::ColumnInfo& info) const {
  const auto sum = [&](auto&& amount) {
    return running(info.attribute, info.key, 0, [&](const model::PodOnNode& pod) {
      return amount(cluster_.templates()[pod.pod_template]);
    });
  };
  switch (info.attribute) {
    case model::Attribute::kNodePods:
      return sum([](const model::PodTemplate&) { return int64_t{1}; });
    case model::Attribute::kNodeRequested:
      return sum(
          [&](const model::PodTemplate& pod) { return model::amount_of(pod.accounted, info.key); });
    case model::Attribute::kNodeNonzeroRequested:
      if (cluster_.text(info.key) == "cpu")
        return sum([](const model::PodTemplate& pod) { return pod.nonzero_milli_cpu; });
      return sum([](const model::PodTemplate& pod) { return pod.nonzero_memory; });
    default:
      return 0;
  }
}

int64_t Overlay::added_to_query(model::QueryId query) const {
  const model::PodCounts& counts = cluster_.counts();
  if (counts.domain(query, cluster_.nodes().slot_of(row_)) == 0) return 0;
  return running(model::Attribute::kCount, query, 0,
                 [&](const model::PodOnNode& pod) { return counts.worth_overlaid(query, pod); });
}

int64_t Overlay::added_carried(model::MatchSetId set) const {
  const model::CarriedTerms& carried = cluster_.carried();
  int64_t total = 0;
  for (size_t sum = 0; sum < carried.sums(set); ++sum)
    if (code_in(carried.domain_column(set, sum)) != 0)
      total += running(model::Attribute::kNodeCarried, set, sum, [&](const model::PodOnNode& pod) {
        return carried.weight_in(set, sum, pod.shape);
      });
  return total;
}

int64_t Overlay::added_carriers(model::MatchSetId set) const {
  const model::CarriedTerms& carried = cluster_.carried();
  int64_t total = 0;
  for (size_t sum = 0; sum < carried.sums(set); ++sum)
    if (code_in(carried.domain_column(set, sum)) != 0)
      total += running(model::Attribute::kCarriers, set, sum, [&](const model::PodOnNode& pod) {
        return carried.terms_in(set, sum, pod.shape);
      });
  return total;
}

uint32_t Overlay::code_in(const model::Column* domains) const {
  return domains->values<uint32_t>()[row_];
}

void Overlay::read_counts(const model::ColumnInfo& info, const model::Column& base,
                          model::Gathered& out) const {
  const int64_t* values = base.values<int64_t>();
  switch (info.attribute) {
    case model::Attribute::kCount: {
      const uint32_t code = code_in(cluster_.counts().domain_column(info.number));
      out.value(int64_t{0});
      if (code != 0) out.value(values[code] + added_to_query(info.number));
      return;
    }
    case model::Attribute::kCarriers:
      return out.value(values[0] + added_carriers(info.number));
    default: {
      const model::TallySummary now = summary(info.number);
      if (info.attribute == model::Attribute::kCountTotal) return out.value(now.total);
      if (info.attribute == model::Attribute::kCountMinimum) return out.value(now.minimum);
      BERTH_ASSERT(info.attribute == model::Attribute::kCountDomains);
      return out.value(now.domains);
    }
  }
}

model::TallySummary Overlay::summary(model::QueryId query) const {
  const model::PodCounts& counts = cluster_.counts();
  const model::DomainCode domain = counts.domain(query, cluster_.nodes().slot_of(row_));
  const model::DomainTally& tally = counts.tally(query);
  return domain == 0 ? tally.totals() : tally.with(domain, added_to_query(query));
}

const Overlay::Own* Overlay::own(model::ColumnId column) const {
  for (const Own& own : own_)
    if (own.column == column) return &own;
  return nullptr;
}

Overlay::Own& Overlay::make_own(model::ColumnId column) {
  ports_begun_ = false;  // the column may be that of ports
  for (Own& own : own_)
    if (own.column == column) return own;
  own_.push_back({column, 0, {}});
  return own_.back();
}

void Overlay::set(model::ColumnId column, int64_t value) { make_own(column).value = value; }

void Overlay::set(model::ColumnId column, std::vector<uint64_t> elements) {
  make_own(column).elements = std::move(elements);
}

uint32_t Overlay::code(model::ColumnId column, const berth_column& base) const {
  if (const Own* mine = own(column)) return static_cast<uint32_t>(mine->value);
  return static_cast<const uint32_t*>(base.data)[row_];
}

void Overlay::read(model::ColumnId column, const model::ColumnInfo& info, const berth_column& base,
                   model::Gathered& out) const {
  const Own* mine = own(column);
  switch (info.attribute) {
    case model::Attribute::kNodePods:
    case model::Attribute::kNodeCount:
    case model::Attribute::kNodeCarried:
    case model::Attribute::kNodeRequested:
    case model::Attribute::kNodeNonzeroRequested: {
      auto now = static_cast<uint64_t>(
          mine != nullptr ? mine->value : static_cast<const int64_t*>(base.data)[row_]);
      out.value(static_cast<int64_t>(now + static_cast<uint64_t>(added(info))));
      return;
    }
    case model::Attribute::kNodeClaims:
      return read_volumes(mine, base, &model::PodTemplate::claims, out);
    case model::Attribute::kNodeDisks:
      return read_volumes(mine, base, &model::PodTemplate::disks, out);
    case model::Attribute::kNodeInlineVolumes:
      return read_volumes(mine, base, &model::PodTemplate::inline_volumes, out);
    case model::Attribute::kNodePorts:
      return read_ports(mine, base, out);
    case model::Attribute::kNodeLowestPriority:
      if (mine == nullptr && !changes_.empty()) return out.value(lowest_priority());
      break;
    case model::Attribute::kNodeDomain:
      if (mine == nullptr)
        return out.value(uint32_t{static_cast<const uint32_t*>(base.data)[row_] != 0});
      break;
    default:
      break;
  }
  if (mine == nullptr) {
    out.positions(base, {&row_, 1});
  } else if (info.list) {
    BERTH_ASSERT(info.type == BERTH_U64);
    out.list(std::span<const uint64_t>(mine->elements));
  } else if (info.type == BERTH_U8) {
    out.value(static_cast<uint8_t>(mine->value));
  } else if (info.type == BERTH_U32) {
    out.value(static_cast<uint32_t>(mine->value));
  } else {
    BERTH_ASSERT(info.type == BERTH_I64);
    out.value(mine->value);
  }
}

// The lowest priority among the pods that are on the row after all changes.
int64_t Overlay::lowest_priority() const {
  const model::NodeTable& nodes = cluster_.nodes();
  std::vector<model::PodOnNode> pods = nodes.pods(nodes.slot_of(row_));
  for (const auto& [pod, sign] : changes_) {
    const model::PodId changed = pod.pod;
    auto at = std::find_if(pods.begin(), pods.end(),
                           [&](const model::PodOnNode& other) { return other.pod == changed; });
    if (sign > 0) {
      pods.push_back(pod);
    } else if (at != pods.end()) {
      pods.erase(at);
    }
  }
  int64_t lowest = model::kNoPriority;
  for (const model::PodOnNode& pod : pods)
    lowest = std::min<int64_t>(lowest, cluster_.templates()[pod.pod_template].priority);
  return lowest;
}

void Overlay::read_volumes(const Own* own, const berth_column& base,
                           std::vector<uint64_t> model::PodTemplate::*list,
                           model::Gathered& out) const {
  const auto* first = static_cast<const uint64_t*>(base.data) + base.starts[row_];
  std::vector<uint64_t> now(first, first + base.sizes[row_]);
  if (own != nullptr) now = own->elements;
  for (const auto& [pod, sign] : changes_) {
    for (const uint64_t value : cluster_.templates()[pod.pod_template].*list) {
      const auto at = std::find(now.begin(), now.end(), value);
      if (sign > 0) now.push_back(value);
      if (sign < 0 && at != now.end()) now.erase(at);
    }
  }
  out.list(std::span<const uint64_t>(now));
}

void Overlay::read_ports(const Own* own, const berth_column& base, model::Gathered& out) const {
  if (!ports_begun_) {
    const auto* first = static_cast<const uint64_t*>(base.data) + base.starts[row_];
    if (own != nullptr) {
      ports_ = own->elements;
    } else {
      ports_.assign(first, first + base.sizes[row_]);
    }
    ports_begun_ = true;
    ports_counted_ = 0;
  }
  for (; ports_counted_ < changes_.size(); ++ports_counted_) {
    const auto& [pod, sign] = changes_[ports_counted_];
    for (uint64_t port : cluster_.templates()[pod.pod_template].ports) {
      auto at = std::find(ports_.begin(), ports_.end(), port);
      if (sign > 0 && at == ports_.end()) ports_.push_back(port);
      if (sign < 0 && at != ports_.end()) ports_.erase(at);
    }
  }
  out.list(std::span<const uint64_t>(ports_));
}

}  // namespace berth::framework
