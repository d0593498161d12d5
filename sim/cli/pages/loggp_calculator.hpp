/// The calculator behind `orrery loggp`: the times by LogGP, HLogGP and Hockney of messages that one rank sends one
/// after another, term by term in numbers.
#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

/// Texts as entered, with units; empty: not given.
struct LogGpRequest {
  std::string model = "loggp";   ///< loggp, hloggp, hockney
  std::string overhead;          ///< o, at both ends; for hloggp o_s
  std::string overhead_receive;  ///< hloggp's o_r
  std::string latency;           ///< L; Hockney's alpha
  std::string gap;               ///< g
  std::string gap_per_byte;      ///< G; Hockney's beta
  bool json = false;
  std::vector<std::string> messages;  ///< sizes
};

/// Throws InputError.
std::string loggp_answer(const LogGpRequest& request);

}  // namespace orrery::cli
