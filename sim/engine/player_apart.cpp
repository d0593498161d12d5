// A stretch (alike.hpp) on an engine of its own, with nobody else.
#include <algorithm>
#include <limits>

#include "sim/engine/player.hpp"

namespace orrery::engine {

namespace {

/// The members of a group by themselves, each after the time that it comes later than the first.
class Apart final : public Program {
 public:
  Apart(const Alike::Group& group, double first_came) : group_(group), first_came_(first_came) {}
  std::string name() const override { return "stretch"; }
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(group_.ranks.size()); }
  double comes(std::size_t member) const { return group_.members[member].came - first_came_; }
  Generator<Step> steps(Rank me) const override {
    if (comes(index(me)) > 0.0) co_yield compute(Work::elapsed, Flops(comes(index(me))));
    for (const Step& step : group_.members[index(me)].script->steps) co_yield step;
  }

 private:
  const Alike::Group& group_;
  double first_came_;
};

class ItsFlops final : public ComputeModel {
 public:
  std::string description() const override { return "seconds as flops"; }
  Seconds compute_time(const Compute& compute, Rank) const override { return Seconds(compute.flops.si()); }
};

/// What a run of its own told, with dates after the last member came.
Stretch stretch_of(const RunResult& run, const std::vector<LoadPiece>& pieces, const Apart& program,
                   const Alike::Group& group, double last_came) {
  if (run.timelines_cut) throw Unalike{"a group does more by itself than is kept (a million activities)"};
  Stretch stretch;
  stretch.links.resize(group.links.size());
  stretch.collectives = run.collectives;
  stretch.messages = run.messages;
  stretch.unexpected = run.unexpected_messages;
  for (std::size_t m = 0; m < group.ranks.size(); ++m) {
    const double came = program.comes(m);
    stretch.came.push_back(came - last_came);
    double end = came;
    auto& doings = stretch.doings.emplace_back();
    for (const Interval& interval : run.timelines[m]) {
      if (interval.end.si() <= came) continue;  // until it comes
      doings.push_back({interval.activity, interval.begin.si() - last_came, interval.end.si() - last_came});
      end = std::max(end, interval.end.si());
    }
    stretch.ends.push_back(end - last_came);
  }
  const auto link_of = [&](ResourceId id) -> Stretch::OnLink& {
    const auto found = std::ranges::find(group.links, id);
    if (found == group.links.end()) throw Unalike{"a group uses more than the links between its GPUs"};
    return stretch.links[static_cast<std::size_t>(found - group.links.begin())];
  };
  for (const ResourceRecord& record : run.resources) {
    Stretch::OnLink& link = link_of(ResourceId{record.link});
    link.bytes = record.bytes.si();
    link.busy = record.busy.si();
  }
  for (LoadPiece piece : pieces) {
    Stretch::OnLink& link = link_of(piece.resource);
    piece.from -= last_came;
    piece.to -= last_came;
    link.first = link.pieces.empty() ? piece.from : std::min(link.first, piece.from);
    link.last = link.pieces.empty() ? piece.to : std::max(link.last, piece.to);
    link.pieces.push_back(piece);
  }
  return stretch;
}

}  // namespace

/// On an engine of its own, with nobody else.
Stretch Player::play_stretch(const Alike::Group& group) {
  const std::size_t members = group.ranks.size();
  const double first_came = std::ranges::min(group.members, {}, &Alike::Member::came).came;
  const double last_came = now_ - first_came;
  const Apart program(group, first_came);
  const ItsFlops seconds;
  Layout layout{.name = "stretch", .placements = {}, .gpus = layout_.gpus};
  for (const Rank rank : group.ranks) layout.placements.push_back(layout_.of(rank));
  ReplayInput input = alike_->input;
  input.program = &program;
  input.layout = &layout;
  input.compute = &seconds;
  input.options = {};
  input.options.load_bins = 1;
  input.options.staging_in_compute_model = options_.staging_in_compute_model;
  for (std::uint32_t member = 0; member < members; ++member) input.options.trace_ranks.push_back(Rank{member});
  input.options.trace_until_s = std::numeric_limits<double>::max();  // all activities, none in bins
  std::vector<LoadPiece> pieces;
  const RunResult run = sink_.apart()(input, pieces);
  return stretch_of(run, pieces, program, group, last_came);
}

}  // namespace orrery::engine
