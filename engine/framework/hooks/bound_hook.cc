#include "engine/framework/hooks/bound_hook.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/base/assert.h"
#include "engine/model/columns/column.h"
#include "engine/model/pods/pod_columns.h"

namespace berth::framework {
namespace {

berth_column absent() { return berth_column{}; }

constexpr size_t kTemplatePart = 0, kTermsPart = 1;

// One column of one pod. Valid until `out` is used again.
berth_column gather_pod(const model::ColumnInfo& info, model::Cluster& cluster,
                        const model::PodRecord& pod, model::Gathered& out) {
  const model::PodRecord* one = &pod;
  out.begin(info.type, info.list);
  model::gather_pods(info, cluster, {&one, 1}, out);
  return out.view();
}

}  // namespace

BoundHook::BoundHook(const host::Hook& hook, model::Cluster& cluster)
    : hook_(&hook), cluster_(&cluster) {
  if (!hook.space().empty()) {
    space_ = cluster.find_column(hook.space());
    BERTH_ASSERT(space_ != 0);
    // The only dictionary over nodes; the host has checked the id.
    space_table_ = model::Table::kTaintSets;
    space_column_ = &cluster.column(space_);
  }
  for (const std::string& id : hook.inputs()) {
    model::ColumnId column = model::is_family(id) ? 0 : cluster.find_column(id);
    declared_.push_back(column);
    if (column == 0) {
      declares_pod_family_ |= id.starts_with("pod.");
    } else if (cluster.catalog().info(column).table == model::Table::kPods) {
      const model::ColumnInfo& info = cluster.catalog().info(column);
      const bool of_template = !info.of_instance() && !info.of_shape();
      (of_template       ? parts_[kTemplatePart].columns
       : info.of_terms() ? parts_[kTermsPart].columns
                         : own_part_)
          .push_back(column);
      scope_ = std::max(scope_, info.of_instance() ? Scope::kPod
                                : info.of_shape()  ? Scope::kShape
                                                   : Scope::kTemplate);
    }
  }
  if (declares_pod_family_) scope_ = std::max(scope_, Scope::kShape);
}

bool BoundHook::declares_terms() const { return !parts_[kTermsPart].columns.empty(); }

uint32_t BoundHook::positions() const {
  return over_dictionary() ? space_column_->view().dictionary_size : cluster_->nodes().rows();
}

std::string BoundHook::node_text(model::Row row) const {
  return "node \"" + std::string(std::as_const(*cluster_).node_name(row)) + '"';
}

std::string BoundHook::code_text(uint32_t code) const {
  BERTH_ASSERT(over_dictionary());
  const uint32_t* const codes = space_column_->values<uint32_t>();
  const uint32_t* const end = codes + cluster_->nodes().rows();
  const uint32_t* const found = std::find(codes, end, code);
  if (found == end) return "code " + std::to_string(code) + " of " + hook_->space();
  return node_text(static_cast<model::Row>(found - codes));
}

uint32_t BoundHook::SignaturePart::number_of(const std::string& bytes) {
  auto [at, fresh] = numbers.try_emplace(bytes, 0);
  if (!fresh) return at->second;
  if (free.empty()) return at->second = ++last;
  at->second = free.back();
  free.pop_back();
  return at->second;
}

uint32_t BoundHook::part_number(size_t index, uint32_t id, const model::PodRecord& pod) {
  SignaturePart& part = parts_[index];
  uint32_t& number = part.known.at(id, epoch_);
  if (number != 0) return number;
  bytes_.clear();
  for (model::ColumnId column : part.columns)
    append_identity(cluster_->catalog().info(column), *cluster_, pod, bytes_);
  return number = part.number_of(bytes_);
}

BoundHook::Signature BoundHook::signature(const model::PodRecord& pod) {
  Signature made;
  const auto add_part = [&](size_t index, uint32_t id) {
    const uint32_t number = made.parts[index] = part_number(index, id, pod);
    made.bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  if (!parts_[kTemplatePart].columns.empty()) add_part(kTemplatePart, pod.pod_template);
  if (!parts_[kTermsPart].columns.empty())
    add_part(kTermsPart, cluster_->shapes().terms_id(cluster_->shape(pod)));
  for (model::ColumnId column : own_part_)
    append_identity(cluster_->catalog().info(column), *cluster_, pod, made.bytes);
  // `prepare` may ask for any member of the family, so pods of another shape, or of this one in
  // another context, may differ in it.
  if (declares_pod_family_) {
    const std::pair whole(uint64_t{cluster_->shape(pod)}, cluster_->pod_context());
    made.bytes.append(reinterpret_cast<const char*>(&whole), sizeof whole);
  }
  return made;
}

TemplateHook& BoundHook::of(const model::PodRecord& pod, host::CallContext& calls) {
  State& state = states_[find_number(pod, calls) - 1];
  state.used_in = epoch_;
  return *state.hook;
}

uint32_t BoundHook::find_number(const model::PodRecord& pod, host::CallContext& calls) {
  if (scope_ == Scope::kPod) return find_or_make(pod, calls);
  const bool by_shape = scope_ == Scope::kShape;
  Known& known = known_.at(by_shape ? cluster_->shape(pod) : pod.pod_template, epoch_);
  const uint64_t context = by_shape ? cluster_->pod_context() : 0;
  if (known.state == 0 || known.context != context) known = {context, find_or_make(pod, calls)};
  return known.state;
}

uint32_t BoundHook::find_or_make(const model::PodRecord& pod, host::CallContext& calls) {
  Signature found = signature(pod);
  auto [at, fresh] = by_signature_.try_emplace(std::move(found.bytes), 0);
  if (!fresh) return at->second;
  if (free_states_.empty()) {
    states_.emplace_back();
    free_states_.push_back(static_cast<uint32_t>(states_.size()));
  }
  const uint32_t number = at->second = free_states_.back();
  free_states_.pop_back();
  states_[number - 1] = {prepare_anew(pod, calls), epoch_, found.parts};
  return number;
}

std::unique_ptr<TemplateHook> BoundHook::prepare_anew(const model::PodRecord& pod,
                                                      host::CallContext& calls) {
  static std::atomic<uint64_t> made_so_far = 0;
  auto made = std::make_unique<TemplateHook>();
  made->serial = ++made_so_far;
  prepare(*made, pod, calls);
  return made;
}

void BoundHook::refresh(model::ColumnId column) const {
  cluster_->refresh(std::as_const(*cluster_).catalog().info(column));
}

bool BoundHook::up_to_date(const TemplateHook& state) const {
  const model::Cluster& cluster = *cluster_;
  return std::ranges::none_of(state.lagging, [&](model::ColumnId column) {
    return cluster.lags(cluster.catalog().info(column));
  });
}

void BoundHook::prepare(TemplateHook& state, const model::PodRecord& pod,
                        host::CallContext& calls) {
  if (hook_->prepares()) {
    prepare_values_.resize(declared_.size());
    prepare_columns_.assign(declared_.size(), absent());
    for (size_t i = 0; i < declared_.size(); ++i) {
      if (declared_[i] == 0) continue;
      const model::ColumnInfo& info = cluster_->catalog().info(declared_[i]);
      if (info.table != model::Table::kPods) continue;
      prepare_columns_[i] = gather_pod(info, *cluster_, pod, prepare_values_[i]);
    }
    if (host::CallError error = hook_->prepare(calls, prepare_columns_, state.prepared)) {
      state.failed = true;
      state.error = error.text();
      state.misused = error.is_misuse();
    }
  }
  take_inputs(state, pod);
}

void BoundHook::take_inputs(TemplateHook& state, const model::PodRecord& pod) {
  state.inputs = state.prepared.narrowed() ? state.prepared.inputs() : declared_;
  state.pod_values.resize(state.inputs.size());
  state.pod_columns.assign(state.inputs.size(), absent());
  state.sources.resize(state.inputs.size());
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    if (state.inputs[i] == 0) continue;
    // The column exists from now on: views are taken by several threads at once.
    const model::ColumnInfo& info = cluster_->catalog().info(state.inputs[i]);
    if (info.table == model::Table::kPods) {
      state.pod_columns[i] = gather_pod(info, *cluster_, pod, state.pod_values[i]);
    } else if (info.table != model::Table::kEvents) {
      state.sources[i] = {&cluster_->column(state.inputs[i]), info.table == space_table_,
                          Overlay::follows_pods(info)};
      if (!state.sources[i].aligned || over_dictionary())
        state.shared.push_back(state.sources[i].column);
      if (info.attribute == model::Attribute::kNodeCount ||
          info.attribute == model::Attribute::kNodeCarried)
        state.lagging.push_back(state.inputs[i]);
    }
  }
}

uint64_t BoundHook::stamp(const TemplateHook& state) {
  if (hook_->depends() == BERTH_DEPENDS_EXTERNAL) return ++external_;
  // Generations only grow, so the sum differs whenever one of them does.
  uint64_t sum = 1;
  // Answers are kept by row even if the hook is over a dictionary, so a row's code is an input.
  if (over_dictionary()) sum += space_column_->generation();
  for (const TemplateHook::Source& source : state.sources)
    if (source.column != nullptr) sum += source.column->generation();
  return sum;
}

// Generations only grow, so the sum differs whenever one of them does.
uint64_t BoundHook::shared_stamp(const TemplateHook& state) const {
  if (hook_->depends() == BERTH_DEPENDS_EXTERNAL) return 0;
  uint64_t sum = 1;
  for (const model::Column* column : state.shared) sum += column->generation();
  return sum;
}

model::Changes BoundHook::inputs_of_row(const TemplateHook& state) const {
  const model::Catalog& catalog = std::as_const(*cluster_).catalog();
  if (over_dictionary()) return catalog.info(space_).changes;
  model::Changes inputs = 0;
  for (size_t i = 0; i < state.inputs.size(); ++i)
    if (state.sources[i].column != nullptr && state.sources[i].aligned)
      inputs |= catalog.info(state.inputs[i]).changes;
  return inputs;
}

size_t BoundHook::collect() {
  // Also if nothing is dropped: a state is in use if `of` returns it after this.
  raise_forgotten();
  const size_t dropped = drop_unused();
  if (dropped != 0) {
    boost::unordered::erase_if(by_signature_, [&](const auto& entry) {
      return states_[entry.second - 1].hook == nullptr;
    });
    by_signature_.rehash(0);  // here, and not at some insertion within a decision
    for (size_t index = 0; index < kParts; ++index) {
      std::vector<bool> used(parts_[index].last + size_t{1});
      for (const State& state : states_)
        if (state.hook != nullptr) used[state.parts[index]] = true;
      parts_[index].drop_others(used);
    }
  }
  known_.drop_older(epoch_);
  for (SignaturePart& part : parts_) part.known.drop_older(epoch_);
  if (dropped != 0)
    known_.for_each([&](Known& known) {
      if (known.state != 0 && states_[known.state - 1].hook == nullptr) known = {};
    });
  ++epoch_;
  collect_at_ = std::max(kCollectFrom, 2 * size());
  return dropped;
}

// Ends the states that `of` did not return in this epoch; their numbers are free.
size_t BoundHook::drop_unused() {
  size_t dropped = 0;
  for (size_t i = 0; i < states_.size(); ++i) {
    State& state = states_[i];
    if (state.hook == nullptr) continue;
    if (state.used_in == epoch_) continue;
    state = {};
    free_states_.push_back(static_cast<uint32_t>(i + 1));
    ++dropped;
  }
  return dropped;
}

// Forgets the numbers that `used` does not have, and gives them out again.
void BoundHook::SignaturePart::drop_others(const std::vector<bool>& used) {
  boost::unordered::erase_if(numbers, [&](const auto& entry) {
    if (used[entry.second]) return false;
    free.push_back(entry.second);
    return true;
  });
  numbers.rehash(0);
  known.for_each([&](uint32_t& number) {
    if (!used[number]) number = 0;
  });
}

void BoundHook::forget_states() {
  raise_forgotten();
  states_.clear();
  free_states_.clear();
  known_.clear();
  by_signature_.clear();
  for (SignaturePart& part : parts_) {
    SignaturePart empty;
    empty.columns = std::move(part.columns);
    part = std::move(empty);
  }
  collect_at_ = kCollectFrom;
}

size_t BoundHook::table_bytes() const {
  size_t bytes = known_.bytes() + states_.capacity() * sizeof(State) +
                 free_states_.capacity() * sizeof(uint32_t);
  const auto count = [&](const auto& table) {
    bytes += table.bucket_count() * sizeof(*table.begin());
    for (const auto& [key, number] : table)
      if (key.capacity() > sizeof(std::string)) bytes += key.capacity();
  };
  count(by_signature_);
  for (const SignaturePart& part : parts_) {
    bytes += part.known.bytes() + part.free.capacity() * sizeof(uint32_t);
    count(part.numbers);
  }
  return bytes;
}

}  // namespace berth::framework
