#include "loadgen/write/template_numbers.h"

#include <boost/container_hash/hash.hpp>

#include "engine/base/error.h"

namespace berth::loadgen {
namespace {

void mix_amounts(const model::ResourceList& list, size_t& hash) {
  for (const auto& [name, amount] : list) {
    boost::hash_combine(hash, name);
    boost::hash_combine(hash, amount.milli_value());
  }
}

void mix_map(const model::StringMap& map, size_t& hash) {
  for (const auto& [key, value] : map) {
    boost::hash_combine(hash, key);
    boost::hash_combine(hash, value);
  }
}

void mix_requirements(const std::vector<model::Requirement>& requirements, size_t& hash) {
  for (const model::Requirement& requirement : requirements) {
    boost::hash_combine(hash, requirement.key);
    for (const std::string& value : requirement.values) boost::hash_combine(hash, value);
  }
}

// Hashes the fields in which templates usually differ. Specs with equal hashes are compared in
// full.
uint64_t hash_of(const model::PodSpec& spec) {
  size_t hash = 0;
  mix_map(spec.labels, hash);
  mix_map(spec.node_selector, hash);
  boost::hash_combine(hash, spec.node_name);
  boost::hash_combine(hash, spec.priority.value_or(0));
  for (const model::Container& container : spec.containers) {
    boost::hash_combine(hash, container.name);
    boost::hash_combine(hash, container.image);
    mix_amounts(container.requests, hash);
  }
  for (const model::PodVolume& volume : spec.volumes) boost::hash_combine(hash, volume.claim);
  if (spec.affinity.node_required) {
    for (const model::NodeSelectorTerm& term : spec.affinity.node_required->terms) {
      mix_requirements(term.match_expressions, hash);
      mix_requirements(term.match_fields, hash);
    }
  }
  return hash;
}

}  // namespace

uint32_t TemplateNumbers::define(std::shared_ptr<const model::PodSpec> spec, LoadStep& step) {
  if (next_ > ingest::kMaxTemplateId)
    throw Error("the load needs more than " + std::to_string(ingest::kMaxTemplateId + 1) +
                " pod templates, which is all that a stream can number: it has too many different "
                "pods, too many owners, or too many nodes with pods of DaemonSets");
  step.templates.push_back({next_, std::move(spec)});
  return next_++;
}

TemplateNumbers::Template TemplateNumbers::find_or_define(model::PodSpec spec, LoadStep& step) {
  std::vector<Template>& alike = by_hash_[hash_of(spec)];
  for (const Template& known : alike)
    if (*known.spec == spec) return known;
  const auto kept = std::make_shared<const model::PodSpec>(std::move(spec));
  return alike.emplace_back(Template{define(kept, step), kept});
}

}  // namespace berth::loadgen
