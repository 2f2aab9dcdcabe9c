#include "engine/validator/runner.h"

#include <algorithm>
#include <exception>

#include "engine/base/error.h"
#include "engine/host/loading/elf_note.h"
#include "engine/host/loading/sealed_file.h"
#include "engine/validator/child.h"

namespace berth::validator {
namespace {

// The first byte of a record; what was seen follows.
constexpr char kPassed = 'p', kFailed = 'f', kSkipped = 's', kMisused = 'm', kDiffers = 'd';

// In a record kDiffers, in front of what was seen.
constexpr char kEndOfHook = '\n';

constexpr std::string_view kOfServices = "threads.services";

std::string record_of_run(const Check& check, const Subject& subject) {
  try {
    check.run(subject);
    return {kPassed};
  } catch (const NotApplicable& reason) {
    return kSkipped + std::string(reason.what());
  } catch (const ServiceMisuse& misuse) {
    return kMisused + std::string(misuse.what());
  } catch (const AnswersDiffer& failure) {
    return kDiffers + failure.hook + kEndOfHook + failure.what();
  } catch (const std::exception& failure) {
    return kFailed + std::string(failure.what());
  }
}

// In a process of its own, the failure of that process is what convicts, whatever the check made of
// the call that failed.
std::string record_of(const Check& check, const Subject& subject) {
  const std::string record = record_of_run(check, subject);
  if (subject.apart == nullptr) return record;
  const std::string failure = subject.apart->failure();
  return failure.empty() ? record : kFailed + failure;
}

// `judged`: the check of services is run, too.
Result run_one(const Check& check, const Subject& subject, std::chrono::milliseconds limit,
               bool judged) {
  const Ended ended = run_in_child([&] { return record_of(check, subject); },
                                   {.limit = limit, .ends_by_exit = check.ends_by_exit});
  if (!ended.trouble.empty()) return {&check, Status::kFailed, ended.trouble};
  const char kind = ended.record.front();
  if (kind == kDiffers) {
    const size_t end = ended.record.find(kEndOfHook);
    return {.check = &check,
            .status = Status::kFailed,
            .seen = ended.record.substr(end + 1),
            .differs = ended.record.substr(1, end - 1)};
  }
  if (kind == kMisused && judged && check.name != kOfServices)
    return {&check, Status::kSkipped,
            "the plugin calls a service that it may not, which is for " + std::string(kOfServices),
            false, ended.record.substr(1)};
  const Status status = kind == kPassed    ? Status::kPassed
                        : kind == kSkipped ? Status::kSkipped
                                           : Status::kFailed;
  return {&check, status, ended.record.substr(1)};
}

// The check that found answers of this hook to differ before; null: none did.
const Check* found_before(const std::vector<Result>& results, const std::string& hook) {
  const auto found = std::ranges::find(results, hook, &Result::differs);
  return hook.empty() || found == results.end() ? nullptr : found->check;
}

Result skipped(const Check& check, std::string why, bool blocked) {
  return {.check = &check, .status = Status::kSkipped, .seen = std::move(why), .blocked = blocked};
}

// A ServiceMisuse that the check of services did not come upon, such as one in calls about one
// position alone, convicts in the first check that did.
void convict_misuse(std::vector<Result>& results) {
  for (const Result& result : results)
    if (result.check->name == kOfServices && result.status == Status::kFailed) return;
  const auto first =
      std::ranges::find_if(results, [](const Result& result) { return !result.misuse.empty(); });
  if (first == results.end()) return;
  first->status = Status::kFailed;
  first->seen = first->misuse;
}

// True if the check is wanted, or needed by one that is.
bool wanted(const Check& check, const std::vector<const Check*>& chosen) {
  if (chosen.empty()) return true;
  return std::ranges::any_of(chosen, [&](const Check* one) {
    for (; one != nullptr; one = find_check(one->needs))
      if (one == &check) return true;
    return false;
  });
}

std::string plugin_name(const std::filesystem::path& file) {
  try {
    return host::read_identity(host::SealedFile(file).bytes()).name;
  } catch (const Error&) {
    return {};  // the check of the note says why
  }
}

}  // namespace

size_t FileResults::count(Status status) const {
  return static_cast<size_t>(std::ranges::count(results, status, &Result::status));
}

FileResults run_checks(const Subject& subject, const RunOptions& options) {
  FileResults made{subject.file.string(), plugin_name(subject.file), {}};
  const bool judged = wanted(*find_check(kOfServices), options.checks);
  for (const Check& check : all_checks()) {
    if (!wanted(check, options.checks)) continue;
    const auto needed = std::ranges::find_if(made.results, [&](const Result& result) {
      return result.check->name == check.needs &&
             (result.status == Status::kFailed || result.blocked ||
              (!result.misuse.empty() && check.name != kOfServices));
    });
    if (needed != made.results.end()) {
      made.results.push_back(
          skipped(check, "it needs " + std::string(check.needs) + ", which did not pass", true));
    } else if (check.looks_at_process && subject.apart != nullptr) {
      made.results.push_back(
          skipped(check, "the plugin runs in a process of its own (--isolate)", false));
    } else {
      Result result = run_one(check, subject, options.limit, judged);
      if (const Check* before = found_before(made.results, result.differs))
        result =
            skipped(check,
                    "answers of " + result.differs + " differ, as " + std::string(before->name) +
                        " has found; mend that first, or run this check alone (--check)",
                    true);
      made.results.push_back(std::move(result));
    }
  }
  if (judged) convict_misuse(made.results);
  return made;
}

}  // namespace berth::validator
