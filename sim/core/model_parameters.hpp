/// The parameters of an analytic model in a form to read, edit and plot: named tables of numbers, and matrices indexed
/// by (from, to).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace orrery {

/// A table that fits in one plot. Column names end in their unit: "message_B", "latency_s", "gap_s_per_B".
struct ParameterTable {
  std::string name;                           ///< "channel", "pair"
  std::map<std::string, std::string> labels;  ///< {"channel": "shared-memory", "types": "xeon12"}
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::string where = {};  ///< place in its file, for messages; empty if it is from no file

  /// "p.yaml:3:9: ", or nothing: the beginning of a message about it.
  std::string origin() const { return where.empty() ? where : where + ": "; }
};

/// What the rows and columns of a matrix are, over the whole platform: nodes; hosts, node by node (a node's sockets,
/// then its GPUs); cores, node by node and socket by socket.
enum class MatrixRows : std::uint8_t { nodes, hosts, cores };
inline constexpr std::array matrix_rows_words{"nodes", "hosts", "cores"};
inline const char* matrix_rows_word(MatrixRows rows) { return matrix_rows_words[static_cast<std::size_t>(rows)]; }

/// One number, 0 or more, for each pair (from, to).
struct ParameterMatrix {
  std::string name;  ///< "alpha"
  std::string unit;  ///< "s", "s/B", "B", "B/s", "1/s", "1"
  MatrixRows rows = MatrixRows::nodes;
  std::vector<std::vector<double>> values;  ///< [from][to], square
  std::string where = {};                   ///< place in its file, for messages; empty if it is from no file
  std::vector<std::string> row_where = {};  ///< [from] the same for each row; empty if it is from no file
};

struct ModelParameters {
  std::string model, platform, network, origin;  ///< origin: engine and version, or the file it was fitted from
  std::vector<ParameterTable> tables;
  std::vector<ParameterMatrix> matrices = {};
};

}  // namespace orrery
