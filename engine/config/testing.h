#pragma once

// Shared by the tests of this folder. `inline`, so that a test need not use all of it.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/config/config.h"
#include "engine/config/effective.h"
#include "engine/document/document.h"

namespace berth::config::testing {

inline document::Document parse_document(const std::string& text) {
  Diagnostics diagnostics;
  document::Document document = document::Document::parse(text, "test.yaml", diagnostics);
  for (const Error& error : diagnostics.kept()) ADD_FAILURE() << error.what();
  return document;
}

// `text` is YAML (or JSON) without apiVersion and kind; they are appended.
inline std::string with_type(const std::string& text) {
  return text + "\napiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
}

inline std::string with_type(Version version, const std::string& text) {
  return text + "\napiVersion: " + std::string(api_version(version)) +
         "\nkind: KubeSchedulerConfiguration\n";
}

inline Configuration parse(Version version, const std::string& text) {
  const document::Document document = parse_document(with_type(version, text));
  return from_value(document, document.roots().front());
}

inline Configuration parse(const std::string& text) {
  const document::Document document = parse_document(with_type(text));
  return from_value(document, document.roots().front());
}

// One profile; `plugins` is YAML in flow style: "score: {enabled: [{name: A}]}".
inline Configuration with_plugins(const std::string& plugins) {
  return parse("profiles: [{plugins: {" + plugins + "}}]");
}

// The text of every error, with its place.
inline std::vector<std::string> texts(const InvalidConfiguration& error) {
  std::vector<std::string> texts;
  for (const Error& fault : error.faults()) texts.emplace_back(fault.what());
  return texts;
}

// The texts of the errors; empty if there is none.
template <typename Action>
std::vector<std::string> faults_of(Action action) {
  try {
    action();
  } catch (const InvalidConfiguration& error) {
    return texts(error);
  }
  return {};
}

// The errors of a configuration, without the file name, which is the same in all.
inline std::vector<std::string> refused(const std::string& text, Version version = Version::kV1) {
  std::vector<std::string> faults = faults_of([&] { parse(version, text); });
  for (std::string& fault : faults) {
    const std::string file = "test.yaml:";
    if (fault.starts_with(file)) fault.erase(0, file.size());
  }
  return faults;
}

struct Refusal {
  std::string text;
  std::vector<std::string> faults;
};

inline void expect_refused(std::initializer_list<Refusal> cases, Version version = Version::kV1) {
  for (const auto& [text, faults] : cases) {
    EXPECT_EQ(refused(text, version), faults) << text;
  }
}

// "name" of every entry, and "name=weight" if it has a weight.
template <typename Plugin>
std::vector<std::string> names(const std::vector<Plugin>& plugins) {
  std::vector<std::string> names;
  for (const Plugin& plugin : plugins) {
    names.push_back(plugin.name);
    if (plugin.weight != 0) names.back() += "=" + std::to_string(plugin.weight);
  }
  return names;
}

// The points that kube-scheduler's own plugins implement: v1.36.2's, and those for volumes of one
// kind, which v1.28 had, at Filter.
inline bool kube_implements(std::string_view plugin, Point point) {
  using enum Point;
  static const std::map<std::string_view, std::vector<Point>, std::less<>> kImplemented = {
      {"SchedulingGates", {kPreEnqueue}},
      {"PrioritySort", {kQueueSort}},
      {"NodeUnschedulable", {kFilter}},
      {"NodeName", {kFilter}},
      {"TaintToleration", {kFilter, kPreScore, kScore}},
      {"NodeAffinity", {kPreFilter, kFilter, kPreScore, kScore}},
      {"NodePorts", {kPreFilter, kFilter}},
      {"NodeResourcesFit", {kPreFilter, kFilter, kPreScore, kScore}},
      {"VolumeRestrictions", {kPreFilter, kFilter}},
      {"NodeVolumeLimits", {kPreFilter, kFilter}},
      {"EBSLimits", {kFilter}},
      {"GCEPDLimits", {kFilter}},
      {"AzureDiskLimits", {kFilter}},
      {"VolumeBinding", {kPreFilter, kFilter, kReserve, kPreBind, kPreScore, kScore}},
      {"VolumeZone", {kPreFilter, kFilter}},
      {"PodTopologySpread", {kPreFilter, kFilter, kPreScore, kScore}},
      {"InterPodAffinity", {kPreFilter, kFilter, kPreScore, kScore}},
      {"DynamicResources",
       {kPreEnqueue, kPreFilter, kFilter, kPostFilter, kScore, kReserve, kPreBind}},
      {"DefaultPreemption", {kPreEnqueue, kPostFilter}},
      {"NodeResourcesBalancedAllocation", {kPreScore, kScore}},
      {"ImageLocality", {kScore}},
      {"DefaultBinder", {kBind}},
      {"NodeDeclaredFeatures", {kPreFilter, kFilter}},
  };
  const auto found = kImplemented.find(plugin);
  return found != kImplemented.end() &&
         std::ranges::find(found->second, point) != found->second.end();
}

}  // namespace berth::config::testing
