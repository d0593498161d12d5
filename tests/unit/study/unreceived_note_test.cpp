#include "sim/study/play/unreceived_note.hpp"

#include <doctest/doctest.h>

using namespace orrery;
using study::unreceived_sentence;

TEST_SUITE("app/unreceived") {
  TEST_CASE("The note on messages that nobody received names ranks and tags and how many there are") {
    CHECK(unreceived_sentence({}).empty());
    CHECK(
        unreceived_sentence({1, 1, {{Rank{1}, Rank{3}, 0, 0, 1}}}) ==
        "1 message was never received: 1 of tag 0 from rank 1 to rank 3. Every rank came to its end all the same, but "
        "MPI calls such a program erroneous. Does a rank forget a receive?");
    CHECK(unreceived_sentence({12, 7, {{Rank{1}, Rank{3}, 7, 2, 4}, {Rank{2}, Rank{3}, 8, 0, 1}}}) ==
          "12 messages were never received: 4 of tag 7 in communicator 2 from rank 1 to rank 3, 1 of tag 8 from rank 2 "
          "to rank 3 and 5 more pairs or tags. Every rank came to its end all the same, but MPI calls such a program "
          "erroneous. Does a rank forget a receive?");
  }
}
