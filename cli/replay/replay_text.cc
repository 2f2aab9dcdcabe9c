#include "cli/replay/replay_text.h"

#include <fmt/format.h>

#include "engine/base/text/go_duration.h"
#include "engine/base/text/number_text.h"
#include "engine/base/text/printable.h"

namespace berth::cli {
namespace {

std::string node_text(const std::string& node) { return node.empty() ? "pending" : node; }

std::string first_text(const FirstDifference& first) {
  std::string text =
      fmt::format("first difference: decision {} at {}, {}\n", grouped(first.decision),
                  go_duration(first.at), printable(first.pod));
  text += fmt::format("  recorded  {}\n  now       {}\n", printable(first.recorded),
                      printable(first.now));
  return text + fmt::format("  {}\n", printable(cause_text(first.cause)));
}

std::string result_text(const JournalReplay& replay) {
  if (replay.hash.empty()) return {};  // nothing was played
  if (replay.first)
    return first_text(*replay.first) +
           (replay.other_settings ? "  A has the settings of the journal, B those given now\n"
                                  : "");
  if (!replay.differs()) return "every decision is as recorded\n";
  return fmt::format("every pod is decided as recorded, but {}: decision hash {} is recorded\n",
                     kOtherWay, replay.recorded_hash);
}

}  // namespace

std::string end_text(const Journal& journal) {
  if (!journal.has_files())
    return "the journal is cut short: it ends before the files of its run do, so nothing is "
           "played\n";
  if (!journal.end())
    return fmt::format("the journal is cut short: it ends after decision {}{}\n",
                       grouped(journal.decisions().size()),
                       journal.cut_off() == 0 ? std::string()
                                              : fmt::format(", and its last {} are no whole frame",
                                                            plural(journal.cut_off(), "byte")));
  return journal.end()->interrupted ? "the recorded run was interrupted\n" : std::string();
}

std::string cause_text(const Cause& cause) {
  if (cause.kind == Cause::Kind::kNotRecorded) return cause.why;  // which tells what is missing
  return cause.why.empty() ? cause_name(cause) : cause_name(cause) + ": " + cause.why;
}

std::string pods_text(const ReplayedPods& pods, size_t most) {
  std::string text;
  const auto line = [&](const char* what, uint64_t count) {
    text += fmt::format("  {:<42}{:>9}\n", what, grouped(count));
  };
  line("pods that end as recorded", pods.equal);
  if (pods.different.empty()) return text;
  line("on another node", pods.elsewhere);
  line("on a node in the record, pending here", pods.lost);
  line("on a node here, pending in the record", pods.won);
  text += '\n';
  for (size_t i = 0; i < pods.different.size() && i < most; ++i) {
    const ReplayedPods::Different& one = pods.different[i];
    text += printable(fmt::format("  {:<36} {} -> {}", one.pod, node_text(one.recorded),
                                  node_text(one.now))) +
            '\n';
    if (one.cause) text += "      " + printable(cause_text(*one.cause)) + '\n';
  }
  if (pods.different.size() > most)
    text += fmt::format("  ... and {} more\n", grouped(pods.different.size() - most));
  return text;
}

std::string to_text(const JournalReplay& replay, const Journal& journal, size_t most) {
  std::string text = fmt::format("{}: {} of {} recorded", printable(journal.path()),
                                 plural(replay.decisions, "decision"), grouped(replay.recorded));
  text += replay.hash.empty() ? "\n" : fmt::format(", decision hash {}\n", replay.hash);
  text += end_text(journal);
  if (replay.interrupted) text += fmt::format("{}\n", kInterruptedText);
  text += result_text(replay);
  if (replay.ends_at_first)
    return text + "by the wall clock nothing is compared behind the first difference\n";
  return replay.first ? text + "\n" + pods_text(replay.pods, most) : text;
}

}  // namespace berth::cli
