#pragma once

// The full evaluation: hooks over blocks of rows.
//
// Rows are taken in chunks from the start index on, until the serial loop would stop; who is first
// is worked out afterwards from verdicts in row order, so neither chunks nor threads can change the
// outcome. With `keeps` it is the incremental one: answers stay per template and block of rows as
// long as no input of theirs changes.

#include <memory>
#include <vector>

#include "engine/framework/kernels.h"
#include "engine/framework/row_filter.h"

namespace berth::framework {

struct FullOptions {
  int threads = 1;
  // Rows from which a piece of work is split over threads, and the rows of a part; both multiples
  // of 64.
  uint32_t parallel_from = 8192;
  uint32_t grain = 4096;
  bool keeps = true;
  size_t cache_bytes = size_t{512} << 20;  // most that answers per template and row may take

  bool operator==(const FullOptions&) const = default;
};

class FullEvaluator final : public Evaluator {
 public:
  FullEvaluator(model::Cluster& cluster, host::Worker& worker, FullOptions options);
  ~FullEvaluator() override;

  void filter(const Cycle& cycle, const Search& search, Window& window) override;
  std::string score(const Cycle& cycle, Window& window, std::vector<HookScores>& scores) override;

  // Rows that another thread than the caller's evaluated so far.
  uint64_t rows_off_main() const;
  // What hooks of other threads counted; the caller's worker is not among them.
  std::vector<host::Worker*> workers() const;

 private:
  struct Part;  // one thread's memory
  struct ActiveFilter;
  struct ActiveScore;

  void begin_filters(const Cycle& cycle);
  void search_all(const Cycle& cycle, const Search& search, Window& window);
  void search_list(const Cycle& cycle, const Search& search, Window& window);
  bool search_piece(const Cycle& cycle, model::Row begin, model::Row end, uint32_t wanted,
                    Window& window);
  bool take_chunk(const Cycle& cycle, model::Row begin, model::Row end, uint32_t wanted,
                  Window& window);
  void filter_rows(const Cycle& cycle, model::Row begin, model::Row end, Window& window);
  void filter_block(const Cycle& cycle, model::Row begin, model::Row end, Window& window,
                    Part& part);
  void overlay_nominated(const Cycle& cycle, model::Row begin, model::Row end, Window& window);
  const uint8_t* verdicts(const Cycle& cycle, ActiveFilter& filter, model::Row begin,
                          model::Row end, Part& part);
  bool ask(const Cycle& cycle, ActiveFilter& filter, model::Row begin, model::Row end, uint8_t* out,
           Part& part);

  std::string score_hook(const Cycle& cycle, size_t index, ActiveScore& active);
  void score_block(const Cycle& cycle, size_t index, ActiveScore& active, model::Row begin,
                   model::Row end, Part& part);
  bool ask_score(const Cycle& cycle, size_t index, ActiveScore& active, model::Row begin,
                 model::Row end, Part& part);
  uint64_t score_stamp(const Cycle& cycle, const HookAt<host::Score>& hook,
                       const TemplateHook& state) const;
  bool add_as_is(const HookAt<host::Score>& hook, const int64_t* raw, Window& window);
  Extremes extremes_in(const Window& window, const int64_t* raw) const;
  void add_everywhere(int64_t score, Window& window);
  std::string add_scores(const Cycle& cycle, size_t index, Window& window, ActiveScore& active,
                         HookScores& scores);
  std::string add_own(const Cycle& cycle, size_t index, Window& window, ActiveScore& active,
                      const Extremes& found);
  std::string add_zero(const Cycle& cycle, size_t index, Window& window, HookScores& scores);

  // Runs body(begin, end, part) over [begin, end) in blocks that begin at multiples of 64, on
  // several threads if it is worth it.
  template <typename Body>
  void over_rows(model::Row begin, model::Row end, const Body& body);
  void take_ranges(const Window& window);

  model::Cluster& cluster_;
  host::Worker& worker_;
  FullOptions options_;
  RowFilter rows_;
  std::vector<std::unique_ptr<Part>> parts_;  // by slot of the arena; 0 is the caller's
  std::vector<ActiveFilter> filters_;
  std::vector<ActiveScore> scores_;
  std::vector<Window::Piece> ranges_;  // of rows that are scored
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace berth::framework
