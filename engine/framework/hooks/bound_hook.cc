#include "engine/framework/hooks/bound_hook.h"

#include <algorithm>

#include "engine/base/assert.h"
#include "engine/model/pods/pod_columns.h"
#include "engine/model/storage/column.h"

namespace berth::framework {
namespace {

berth_column absent() { return berth_column{}; }

}  // namespace

BoundHook::BoundHook(const host::Hook& hook, model::Cluster& cluster)
    : hook_(&hook), cluster_(&cluster) {
  if (!hook.space().empty()) {
    space_ = cluster.find_column(hook.space());
    BERTH_ASSERT(space_ != 0);
    // The only dictionary over nodes that there is; the host has checked the id.
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
      (of_template       ? template_part_.columns
       : info.of_terms() ? terms_part_.columns
                         : own_part_)
          .push_back(column);
      scope_ = std::max(scope_, info.of_instance() ? Scope::kPod
                                : info.of_shape()  ? Scope::kShape
                                                   : Scope::kTemplate);
    }
  }
  if (declares_pod_family_) scope_ = std::max(scope_, Scope::kShape);
}

uint32_t BoundHook::positions() const {
  if (!over_dictionary()) return cluster_->nodes().rows();
  return cluster_->view(space_).dictionary_size;
}

uint32_t BoundHook::number_of(SignaturePart& part, uint32_t of, const model::PodRecord& pod) {
  if (of >= part.known.size()) part.known.resize(of + 1);
  uint32_t& number = part.known[of];
  if (number != 0) return number;
  std::string bytes;
  for (model::ColumnId column : part.columns)
    append_identity(cluster_->catalog().info(column), *cluster_, pod, bytes);
  const auto next = static_cast<uint32_t>(part.numbers.size() + 1);
  return number = part.numbers.try_emplace(std::move(bytes), next).first->second;
}

std::string BoundHook::signature(const model::PodRecord& pod) {
  std::string bytes;
  const auto add = [&](uint32_t number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  if (!template_part_.columns.empty()) add(number_of(template_part_, pod.pod_template, pod));
  if (!terms_part_.columns.empty())
    add(number_of(terms_part_, cluster_->shapes().terms_id(cluster_->shape(pod)), pod));
  for (model::ColumnId column : own_part_)
    append_identity(cluster_->catalog().info(column), *cluster_, pod, bytes);
  // A member of a family may be anything that pods of another shape, or later, differ in.
  if (declares_pod_family_) {
    const std::pair whole(uint64_t{cluster_->shape(pod)}, cluster_->pod_context());
    bytes.append(reinterpret_cast<const char*>(&whole), sizeof whole);
  }
  return bytes;
}

// Where it is kept which state a pod has; null where every pod may have another.
BoundHook::Known* BoundHook::known(const model::PodRecord& pod) {
  if (scope_ == Scope::kPod) return nullptr;
  const bool by_shape = scope_ == Scope::kShape;
  const uint32_t number = by_shape ? cluster_->shape(pod) : pod.pod_template;
  if (number >= known_.size())
    known_.resize(by_shape ? cluster_->shapes().size() : cluster_->templates().size());
  return &known_[number];
}

TemplateHook& BoundHook::of(const model::PodRecord& pod, host::CallContext& worker) {
  Known* known = this->known(pod);
  if (known == nullptr) return refreshed(find_or_make(pod, worker));
  const uint64_t context = scope_ == Scope::kShape ? cluster_->pod_context() : 0;
  if (known->state == 0 || known->context != context) *known = {context, find_or_make(pod, worker)};
  return refreshed(known->state);
}

TemplateHook& BoundHook::refreshed(uint32_t number) {
  TemplateHook& state = *states_[number - 1];
  for (model::ColumnId column : state.lagging) cluster_->refresh(cluster_->catalog().info(column));
  return state;
}

// The number of the pod's state, from 1.
uint32_t BoundHook::find_or_make(const model::PodRecord& pod, host::CallContext& worker) {
  auto [at, fresh] =
      by_signature_.try_emplace(signature(pod), static_cast<uint32_t>(states_.size() + 1));
  const uint32_t number = at->second;
  if (fresh) {
    states_.push_back(std::make_unique<TemplateHook>());
    prepare(*states_.back(), pod, worker);
  }
  return number;
}

void BoundHook::prepare(TemplateHook& state, const model::PodRecord& pod,
                        host::CallContext& worker) {
  const model::PodRecord* one = &pod;
  if (hook_->prepares()) {
    std::vector<model::Gathered> values(declared_.size());
    std::vector<berth_column> columns;
    for (size_t i = 0; i < declared_.size(); ++i) {
      columns.push_back(absent());
      if (declared_[i] == 0) continue;
      const model::ColumnInfo& info = cluster_->catalog().info(declared_[i]);
      if (info.table != model::Table::kPods) continue;
      values[i].begin(info.type, info.list);
      model::gather_pods(info, *cluster_, {&one, 1}, values[i]);
      columns.back() = values[i].view();
    }
    if (host::CallError error = hook_->prepare(worker, columns, state.prepared)) {
      state.failed = true;
      state.error = error.text();
    }
  }
  take_inputs(state, pod);
}

void BoundHook::take_inputs(TemplateHook& state, const model::PodRecord& pod) {
  const model::PodRecord* one = &pod;
  state.inputs = state.prepared.narrowed() ? state.prepared.inputs() : declared_;
  state.pod_values.resize(state.inputs.size());
  // Answers that follow no column of nodes are kept by block all the same: a block that gets
  // another row must not look as it did.
  if (!over_dictionary())
    state.aligned.push_back(&cluster_->column(cluster_->find_column("node.row")));
  state.sources.resize(state.inputs.size());
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    if (state.inputs[i] == 0) continue;
    // The column exists from now on: views are taken by several threads at once.
    const model::ColumnInfo& info = cluster_->catalog().info(state.inputs[i]);
    if (info.table == model::Table::kPods) {
      state.pod_values[i].begin(info.type, info.list);
      model::gather_pods(info, *cluster_, {&one, 1}, state.pod_values[i]);
    } else {
      state.sources[i] = {&cluster_->column(state.inputs[i]), info.table == space_table_};
      if (state.sources[i].aligned) state.aligned.push_back(state.sources[i].column);
      if (info.attribute == model::Attribute::kNodeCount ||
          info.attribute == model::Attribute::kNodeCarried)
        state.lagging.push_back(state.inputs[i]);
    }
  }
}

uint64_t BoundHook::stamp(const TemplateHook& state) {
  if (hook_->depends() == BERTH_DEPENDS_EXTERNAL) return ++external_;
  // Generations only grow, so their sum is another one whenever one of them is.
  uint64_t sum = 1;
  // Answers are kept by row also where they are given by code: a row's code is an input then.
  if (over_dictionary()) sum += cluster_->view(space_).generation;
  for (const TemplateHook::Source& source : state.sources)
    if (source.column != nullptr) sum += source.column->generation();
  return sum;
}

// Over a dictionary a row's answer is that of its code: what stands there is shared by all rows.
uint64_t BoundHook::whole_stamp(const TemplateHook& state) const {
  uint64_t sum = 1;
  for (const auto& [column, aligned] : state.sources)
    if (column != nullptr && (!aligned || over_dictionary())) sum += column->generation();
  return sum;
}

void BoundHook::slice(TemplateHook& state, uint32_t begin, uint32_t end, CallColumns& out) {
  BERTH_ASSERT(begin % RowCache<uint8_t>::kBlock == 0);
  out.columns.clear();
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    const auto [source, aligned] = state.sources[i];
    if (source == nullptr) {
      out.columns.push_back(state.inputs[i] != 0 ? state.pod_values[i].view() : absent());
      continue;
    }
    berth_column& column = out.columns.emplace_back(source->view());
    if (!aligned) {
      // Values of nodes mean nothing to a hook over codes.
      if (over_dictionary() && is_of_nodes(state.inputs[i])) column = absent();
      continue;
    }
    if (column.starts != nullptr) {
      column.starts += begin;
      column.sizes += begin;
    } else {
      column.data =
          static_cast<const std::byte*>(column.data) + begin * model::element_size(column.type);
    }
    column.count = end - begin;
  }
}

void BoundHook::gather(TemplateHook& state, std::span<const uint32_t> positions,
                       const Overlay* overlay, CallColumns& out) {
  slice(state, 0, 0, out);
  out.gathered.resize(std::max(out.gathered.size(), state.inputs.size()));
  for (size_t i = 0; i < state.inputs.size(); ++i) {
    model::ColumnId input = state.inputs[i];
    const auto [source, aligned] = state.sources[i];
    if (source == nullptr) continue;
    const model::ColumnInfo& info = cluster_->catalog().info(input);
    if (overlay != nullptr && info.table == model::Table::kCounts) {
      out.gathered[i].begin(info.type, info.list);
      overlay->read_counts(info, *source, out.gathered[i]);
      out.columns[i] = out.gathered[i].view();
      continue;
    }
    if (!aligned) continue;
    berth_column whole = cluster_->view(input);
    model::Gathered& gathered = out.gathered[i];
    gathered.begin(info.type, info.list);
    if (overlay != nullptr && info.table == model::Table::kNodes) {
      overlay->read(input, info, whole, gathered);
    } else {
      gathered.positions(whole, positions);
    }
    out.columns[i] = gathered.view();
    out.columns[i].generation = whole.generation;
    out.columns[i].dictionary_size = whole.dictionary_size;
  }
}

void BoundHook::gather_pods(TemplateHook* state, std::span<const model::PodRecord* const> pods,
                            std::span<const model::Row> rows, CallColumns& out) {
  const std::vector<model::ColumnId>& inputs = state != nullptr ? state->inputs : declared_;
  out.columns.clear();
  out.gathered.resize(std::max(out.gathered.size(), inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    out.columns.push_back(absent());
    if (inputs[i] == 0) continue;
    const model::ColumnInfo& info = cluster_->catalog().info(inputs[i]);
    model::Gathered& gathered = out.gathered[i];
    gathered.begin(info.type, info.list);
    if (info.table == model::Table::kPods) {
      model::gather_pods(info, *cluster_, pods, gathered);
      out.columns[i] = gathered.view();
    } else if (info.table == model::Table::kNodes && !rows.empty()) {
      gathered.positions(cluster_->view(inputs[i]), rows);
      out.columns[i] = gathered.view();
    } else {
      out.columns[i] = cluster_->view(inputs[i]);
    }
  }
}

berth_call BoundHook::call(const CallColumns& columns, uint64_t count, const TemplateHook* state,
                           uint32_t ran) {
  berth_call call{};
  call.size = sizeof call;
  call.ran = ran;
  call.count = count;
  call.columns = columns.columns.data();
  call.column_count = static_cast<uint32_t>(columns.columns.size());
  call.state = state != nullptr ? state->prepared.state() : nullptr;
  return call;
}

void BoundHook::forget_states() {
  states_.clear();
  known_.clear();
  by_signature_.clear();
  for (SignaturePart* part : {&template_part_, &terms_part_}) {
    part->known.clear();
    part->numbers.clear();
  }
  cached_bytes_ = 0;
}

void BoundHook::drop_caches() {
  for (auto& state : states_) {
    state->verdicts = {};
    state->raw = {};
  }
  cached_bytes_ = 0;
}

}  // namespace berth::framework
