/// The tau-Lop calculator behind `orrery taulop`: expressions and single look-ups on tables in their text form.
#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

struct TauLopRequest {
  std::string mode = "timeline";     ///< timeline, algebra
  std::string overhead;              ///< once, per-slice, none-on-network; empty: the mode's default
  std::string rule = "by-channel";   ///< of the algebra: by-channel (eq. 8), dropping (eqs. 5-7)
  std::string parameters;            ///< folder with SHM.txt and IB.txt or TCP.txt
  std::string network;               ///< IB (eq. 3), TCP (eq. 2)
  bool merge = false;                ///< applies A1 in modes where this is optional
  bool time = false, bytes = false;  ///< look-ups: the words are channel, bytes or seconds, tau
  bool steps = false, json = false;
  std::vector<std::string> words;  ///< an expression, or the values of a look-up
};

struct TauLopAnswer {
  std::string text;                   ///< for stdout
  std::vector<std::string> warnings;  ///< tables outside the model's bounds, one sentence each
};

/// Throws InputError.
TauLopAnswer evaluate(const TauLopRequest& request);

}  // namespace orrery::cli
