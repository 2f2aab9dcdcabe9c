#pragma once

// The tables of a difference that its text and its page share: a label, then a value of each run.

#include <string>
#include <vector>

#include "cli/diff/difference.h"

namespace berth::cli {

struct SideRow {
  std::string label;
  PerSide<std::string> values;
  bool differs() const { return values[0] != values[1]; }
};

std::vector<SideRow> setting_rows(const Difference& difference);
std::vector<SideRow> outcome_rows(const Difference& difference);
// Of live runs; empty for recorded ones.
std::vector<SideRow> utilisation_rows(const Difference& difference);
std::vector<SideRow> spread_rows(const Difference& difference);

// "n1 -> n2", "n1 -> refused".
inline constexpr std::string_view kPartialDifference =
    "partial: the run A was interrupted, and only pods that it tried are compared";
std::string moved_text(const PodDifference& pod);
// "12 of 10,000 pods differ".
// Why the pods differ: the cause's words, or else the message of the run in which it gets no node.
std::string why_text(const PodDifference& pod);
std::string headline(const Difference& difference);

}  // namespace berth::cli
