#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "sim/study/judge/printed_values.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

TEST_SUITE("contract/every published value") {
  TEST_CASE("Every published value of a shipped scenario is held by a tolerance or says why not") {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(ORRERY_SOURCE_DIR "/scenarios"))
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    std::ranges::sort(files);
    std::size_t published = 0, chosen = 0;
    for (const auto& file : files) {
      const Scenario scenario = read_scenario(file, {});
      published += scenario.published.size();
      if (scenario.choose) chosen += scenario.choose->averages.size() + scenario.choose->best.size();
      for (const auto& sentence : study::unheld_published(scenario)) FAIL_CHECK(sentence);
    }
    CHECK(published > 150);
    CHECK(chosen > 50);
  }
}
