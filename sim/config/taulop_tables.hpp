/// Text form of tau-Lop's tables: <folder>/SHM.txt, IB.txt, TCP.txt, tab-separated, in seconds.
///
///   #m    30                    number of rows
///   #tau  8                     K
///   #...                        other comment lines are skipped
///   1     5e-07   1e-10 ...     m   o(m)   L(m,1) ... L(m,K)
#pragma once

#include <string>
#include <vector>

namespace orrery::config {

struct TauLopTable {
  std::string file;
  std::vector<double> message_B;                ///< [rows] ascending, > 0
  std::vector<double> overhead_s;               ///< [rows]
  std::vector<std::vector<double>> transfer_s;  ///< [K x rows]
};

/// Throws InputError with file, line and column.
TauLopTable parse_taulop_table(const std::string& text, const std::string& file);
TauLopTable read_taulop_table(const std::string& file);

/// Throws InputError unless both have the same message sizes, as required for the tables of one folder.
void require_same_sizes(const TauLopTable& a, const TauLopTable& b);

}  // namespace orrery::config
