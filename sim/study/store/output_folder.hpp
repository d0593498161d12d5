/// The files of one run as one set: written aside first, then renamed into their folder together.
///
///   OutputSet set("out");
///   set.write("result.json", text);   // into out/.new: a full disk shows here, and nothing of the old set is touched
///   set.swap_in();                    // renames, the report last; what an older run left and this one has not goes
///
/// A browser that shows the old report keeps it until it is loaded again; a run killed while it swaps leaves the whole
/// new set, which the next run moves the rest of (`finish_swap`). Other files of the folder are not touched.
#pragma once

#include <set>
#include <string>

#include "sim/core/text_sink.hpp"

namespace orrery::study {

/// Every parameter file of a run opens with this comment.
inline constexpr const char* parameters_comment = "Model parameters this run was predicted with.";

class OutputSet {
 public:
  explicit OutputSet(std::string folder);
  ~OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;

  void write(const std::string& name, const std::string& text);
  void write(const std::string& name, const TextWriter& text);
  void swap_in();

 private:
  std::string folder_, aside_;
  std::set<std::string> names_;
};

/// Ends the swap of a run that was killed in the middle of it; clears what one left that was still writing.
void finish_swap(const std::string& folder);

/// Makes the folder of --out; throws InputError where nothing could be written into it: said before hours of work, not
/// after them.
void require_writable(const std::string& folder);

}  // namespace orrery::study
