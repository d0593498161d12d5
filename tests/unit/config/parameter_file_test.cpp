#include "sim/config/parameter_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/calibration.hpp"
#include "sim/core/error.hpp"

using namespace orrery;

namespace {

ModelParameters hockney() {
  return {.model = "hockney",
          .platform = "fermi",
          .network = "infiniband",
          .origin = "simgrid 3.32 \"exact\"",
          .tables = {{.name = "pair",
                      .labels = {{"channel", "network"}, {"types", "xeon12,xeon8"}},
                      .columns = {"alpha_s", "beta_s_per_B"},
                      .rows = {{1.0 / 3.0, 2.73e-10}, {1e-300, 0}}}}};
}

std::string file(const std::string& tables) {
  return "platform: fermi\nnetwork: infiniband\nmodels:\n  hockney:\n    tables:\n" + tables;
}

}  // namespace

TEST_SUITE("config/parameter_file") {
  TEST_CASE("Parameters come back from their file bit for bit") {
    auto loggp = hockney();
    loggp.model = "loggp";
    loggp.tables[0].labels.clear();
    const auto text = config::parameter_file_text({hockney(), loggp}, {"measured for a test", "", "edit freely"});
    CHECK(text.starts_with("# measured for a test\n#\n# edit freely\nplatform: \"fermi\"\n"));
    const auto read = config::parse_parameter_file(text, "p.yaml");
    REQUIRE(read.size() == 2);
    CHECK(read[0].model == "hockney");
    CHECK(read[0].platform == "fermi");
    CHECK(read[0].network == "infiniband");
    CHECK(read[0].origin == "simgrid 3.32 \"exact\"");
    REQUIRE(read[0].tables.size() == 1);
    CHECK(read[0].tables[0].labels == hockney().tables[0].labels);
    CHECK(read[0].tables[0].columns == hockney().tables[0].columns);
    CHECK(read[0].tables[0].rows == hockney().tables[0].rows);
    CHECK(read[1].model == "loggp");
    CHECK(read[1].tables[0].labels.empty());
  }
  TEST_CASE("A parameter column without a unit is refused") {
    CHECK_THROWS_WITH(
        config::parse_parameter_file(file("      - {name: pair, columns: [alpha], rows: []}\n"), "p.yaml"),
        "p.yaml:6:32: 'columns[1]' is 'alpha' without a unit at its end (_s, _B, _s_per_B, _B_per_s, "
        "_per_s, _flop). Write 'alpha_s'?");
  }
  TEST_CASE("A parameter row that does not fill its columns is refused") {
    CHECK_THROWS_WITH(
        config::parse_parameter_file(file("      - {name: pair, columns: [alpha_s, m_B], rows: [[1]]}\n"), "p.yaml"),
        "p.yaml:6:54: the row has 1 numbers for 2 columns (alpha_s, m_B). Complete it?");
  }
  TEST_CASE("A parameter outside the range of its unit is refused with its place table column value and rule") {
    const auto pair = [](const std::string& columns, const std::string& rows, const std::string& labels = "{}") {
      return config::parse_parameter_file(
          file(fmt::format("      - {{name: pair, labels: {}, columns: [{}], rows: [{}]}}\n", labels, columns, rows)),
          "p.yaml");
    };
    CHECK_THROWS_WITH_AS(pair("alpha_s, beta_s_per_B", "[1e-6, 1e-9], [-16, 1e-9]"),
                         "p.yaml:6:90: hockney, table 'pair': 'alpha_s' is -16 (0..1000 s). Correct it?", InputError);
    CHECK_THROWS_WITH_AS(pair("alpha_s, beta_s_per_B", "[1e-6, 2]"),
                         "p.yaml:6:82: hockney, table 'pair': 'beta_s_per_B' is 2 (0..1 s/B). Correct it?", InputError);
    CHECK_THROWS_WITH_AS(pair("overhead_s", "[-1]"),
                         "p.yaml:6:65: hockney, table 'pair': 'overhead_s' is -1 (0..1000 s). Correct it?", InputError);
    CHECK_THROWS_WITH_AS(pair("message_B", "[64], [64]"),
                         "p.yaml:6:70: hockney, table 'pair': 'message_B' is 64 (more than 64 of the row before). "
                         "Correct it?",
                         InputError);
    CHECK_THROWS_WITH_AS(pair("message_min_B, message_max_B", "[64, 1]"),
                         "p.yaml:6:82: hockney, table 'pair': 'message_min_B' is 64 (at most 'message_max_B', 1). "
                         "Exchange the two?",
                         InputError);
    CHECK_THROWS_AS(pair("L1_s", "[-1e-6]", "{channel: shared-memory}"), InputError);
    CHECK(pair("L1_s", "[-1e-6]", "{channel: network}")[0].tables[0].rows[0][0] == -1e-6);
  }
  TEST_CASE("A column that a model misses is named with the place of its table and the name that comes near") {
    const auto sets = config::parse_parameter_file(
        file("      - {name: pair, columns: [alhpa_s, beta_s_per_B], rows: [[1e-6, 1e-9]]}\n"), "p.yaml");
    CHECK_THROWS_WITH_AS(value_of(sets[0], sets[0].tables[0], "alpha_s"),
                         "p.yaml:6:9: hockney: table 'pair' has no column 'alpha_s' (there are alhpa_s, beta_s_per_B). "
                         "Rename 'alhpa_s'?",
                         InputError);
  }
  TEST_CASE("A parameter that is no number and a key nobody knows are refused") {
    CHECK_THROWS_WITH(
        config::parse_parameter_file(file("      - {name: pair, columns: [alpha_s], rows: [[fast]]}\n"), "p.yaml"),
        "p.yaml:6:50: 'rows[1][1]' is 'fast' which is not a number. Write for example '1'?");
    CHECK_THROWS_WITH(
        config::parse_parameter_file(file("      - {name: pair, columns: [alpha_s], rows: [], lables: {}}\n"),
                                     "p.yaml"),
        "p.yaml:6:52: 'tables[1]' has an unknown key 'lables' (known: columns, labels, name, rows). Did you "
        "mean 'labels'?");
  }
  TEST_CASE("A matrix comes back from its file bit for bit") {
    auto parameters = hockney();
    parameters.matrices = {{"alpha", "s", MatrixRows::cores, {{0, 1.0 / 3.0}, {1e-300, 2}}},
                           {"beta", "s/B", MatrixRows::nodes, {{0.5}}}};
    const auto read = config::parse_parameter_file(config::parameter_file_text({parameters}), "p.yaml");
    REQUIRE(read[0].matrices.size() == 2);
    CHECK(read[0].matrices[0].name == "alpha");
    CHECK(read[0].matrices[0].unit == "s");
    CHECK(read[0].matrices[0].rows == MatrixRows::cores);
    CHECK(read[0].matrices[0].values == parameters.matrices[0].values);
    CHECK(read[0].matrices[1].values == parameters.matrices[1].values);
    CHECK(read[0].matrices[1].where == "p.yaml:20:9");
    parameters.tables.clear();  // matrices alone will do
    CHECK(config::parse_parameter_file(config::parameter_file_text({parameters}), "p.yaml")[0].tables.empty());
  }
  TEST_CASE("A matrix that is not square or holds a number out of range is refused with place matrix and value") {
    const auto matrix = [](const std::string& unit, const std::string& rows, const std::string& values) {
      return config::parse_parameter_file(
          "platform: fermi\nnetwork: infiniband\nmodels:\n  hockney:\n    matrices:\n" +
              fmt::format("      - {{name: alpha, unit: {}, rows: {}, values: [{}]}}\n", unit, rows, values),
          "p.yaml");
    };
    CHECK(matrix("s", "hosts", "[0, 1], [2, 3]")[0].matrices[0].values[1][0] == 2.0);
    CHECK_THROWS_WITH_AS(matrix("s", "nodes", "[0, 1], [2]"),
                         "p.yaml:6:62: hockney, matrix 'alpha': row 1 of 2 has 1 numbers (square: 2). Complete it?",
                         InputError);
    CHECK_THROWS_WITH_AS(matrix("s", "nodes", "[0, 1], [-2, 0]"),
                         "p.yaml:6:63: hockney, matrix 'alpha': from 1 to 0 it is -2 (0..1000 s). Correct it?",
                         InputError);
    CHECK_THROWS_WITH_AS(matrix("s/B", "nodes", "[0, 7], [2, 0]"),
                         "p.yaml:6:60: hockney, matrix 'alpha': from 0 to 1 it is 7 (0..1 s/B). Correct it?",
                         InputError);
    CHECK_THROWS_WITH_AS(matrix("s", "nodes", "[0, nan], [2, 0]"),
                         "p.yaml:6:58: 'values[1][2]' is 'nan' which is not a number. Write for example '1'?",
                         InputError);
    CHECK_THROWS_WITH_AS(matrix("us", "nodes", "[0]"),
                         "p.yaml:6:29: 'unit' is 'us' (known: 1, 1/s, B, B/s, s, s/B). Did you mean 's'?", InputError);
    CHECK_THROWS_WITH_AS(matrix("s", "sockets", "[0]"),
                         "p.yaml:6:38: 'rows' is 'sockets' (known: cores, hosts, nodes).", InputError);
    CHECK_THROWS_WITH_AS(matrix("s", "nodes", ""),
                         "p.yaml:6:53: the matrix has no rows (one for each node, host or core). Add them?",
                         InputError);
  }
}
