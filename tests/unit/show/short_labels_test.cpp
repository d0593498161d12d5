#include "sim/show/summary/short_labels.hpp"

#include <doctest/doctest.h>

using orrery::show::short_labels;
using Labels = std::vector<std::string>;

TEST_SUITE("report/short labels") {
  TEST_CASE("Labels of an axis lose the words that all of them have and the keys before values") {
    CHECK(short_labels({"collective operation=allreduce algorithm=lr message=64KiB",
                        "collective operation=allreduce algorithm=rdb message=64KiB"}) == Labels{"lr", "rdb"});
    CHECK(short_labels({"summa blocks=128", "wave2d points=256"}) == Labels{"summa blocks 128", "wave2d points 256"});
    CHECK(short_labels({"rail=0 bandwidth=50%", "node=a-2 slower=20%", "none"}) ==
          Labels{"rail 0 bandwidth 50%", "node a-2 slower 20%", "none"});
    CHECK(short_labels({"adapter={node: 1, index: 7} down=true", "adapter={node: 2, index: 7} down=true"}) ==
          Labels{"{node: 1, index: 7}", "{node: 2, index: 7}"});
    CHECK(short_labels({"infiniband", "ethernet"}) == Labels{"infiniband", "ethernet"});
    CHECK(short_labels({"summa blocks=128"}) == Labels{"summa 128"});
  }
  TEST_CASE("A long label loses its middle and labels that would become alike stay as they were") {
    CHECK(short_labels({"abcdefghijklmnop", "b"}, 9) == Labels{"abcd…mnop", "b"});
    CHECK(short_labels({"rows=3", "3"}) == Labels{"rows 3", "3"});
    CHECK(short_labels({"summa", "summa blocks=64"}) == Labels{"summa", "summa blocks=64"});
  }
}
