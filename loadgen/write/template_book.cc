#include "loadgen/write/template_book.h"

#include <boost/container_hash/hash.hpp>
#include <utility>

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

// Of what tells most templates apart; equal hashes are compared in full.
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
  if (spec.affinity.node_required) {
    for (const model::NodeSelectorTerm& term : spec.affinity.node_required->terms) {
      mix_requirements(term.match_expressions, hash);
      mix_requirements(term.match_fields, hash);
    }
  }
  return hash;
}

}  // namespace

TemplateBook::Entry TemplateBook::enter(model::PodSpec spec, LoadStep& step) {
  std::vector<uint32_t>& alike = by_hash_[hash_of(spec)];
  for (const uint32_t id : alike) {
    if (*specs_[id] == spec) return {id, specs_[id]};
  }
  const auto kept = std::make_shared<const model::PodSpec>(std::move(spec));
  alike.push_back(numbers_.define(kept, step));
  specs_.push_back(kept);
  return {alike.back(), kept};
}

}  // namespace berth::loadgen
