/// The files of one run as one set: written to a temporary folder first, then renamed into their folder together.
///
///   OutputSet set("out");
///   set.write("result.json", text);   // into out/.new: a full disk shows here, and the old set is not touched
///   set.swap_in();                    // renames, the report last; deletes other files of an older run
///
/// A browser that shows the old report keeps it until it is loaded again. A run killed during the swap leaves the whole
/// new set, and the next run completes the renaming (`finish_swap`). Other files of the folder are not touched.
#pragma once

#include <set>
#include <string>

#include "sim/core/text_sink.hpp"

namespace orrery::study {

/// Every parameter file of a run begins with this comment.
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

/// Completes the swap of a run that was killed during it; deletes the files of a run that was killed while writing.
void finish_swap(const std::string& folder);

/// Makes the folder of --out; throws InputError if it is not writable, before hours of work and not after them.
void require_writable(const std::string& folder);

}  // namespace orrery::study
