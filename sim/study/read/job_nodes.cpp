#include "sim/study/read/job_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "platforms/layouts.hpp"
#include "platforms/node_choice.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

/// The nodes of a layout in the order in which its ranks meet them.
std::vector<NodeId> in_order(const Layout& layout) {
  std::vector<NodeId> nodes;
  std::map<NodeId, bool> seen;
  for (const Placement& place : layout.placements)
    if (!seen[place.node]) {
      seen[place.node] = true;
      nodes.push_back(place.node);
    }
  return nodes;
}

class Places {
 public:
  Places(const Platform& platform, const std::vector<PlacedJob>& jobs)
      : platform_(platform), owner_(platform.nodes(), nullptr), jobs_(jobs) {
    for (const PlacedJob& job : jobs) wanted_.push_back(in_order(*job.layout));
    got_.resize(jobs.size());
  }

  void place() {
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      if (jobs_[j].names_nodes) keep(j);
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (jobs_[j].names_nodes || !got_[j].empty()) continue;
      if (jobs_[j].job->nodes == JobSpec::Nodes::interleaved)
        take_turns();
      else
        while (got_[j].size() < wanted_[j].size()) take(j);
    }
    for (std::size_t j = 0; j < jobs_.size(); ++j) move(j);
  }

 private:
  void keep(std::size_t j) {
    const JobSpec& job = *jobs_[j].job;
    if (!job.nodes_where.empty())
      throw InputError(
          "{}: 'nodes' beside a layout that names its nodes ('node-list' or 'placement'). Remove one of them?",
          job.nodes_where);
    for (const NodeId node : wanted_[j]) {
      const JobSpec* other = owner_[index(node)];
      if (other != nullptr && !job.share)
        throw InputError(
            "{}: job '{}' is on node {}, as job '{}' is (a node is of one job). Choose others, or 'share: true'?",
            job.where, job.name, platform_.node_name(node), other->name);
      if (!job.share) owner_[index(node)] = &job;
    }
    got_[j] = wanted_[j];
  }

  void take_turns() {
    for (bool any = true; any;) {
      any = false;
      for (std::size_t j = 0; j < jobs_.size(); ++j) {
        if (jobs_[j].names_nodes || jobs_[j].job->nodes != JobSpec::Nodes::interleaved) continue;
        if (got_[j].size() == wanted_[j].size()) continue;
        take(j);
        any = true;
      }
    }
  }

  /// The next node for this job.
  void take(std::size_t j) {
    const JobSpec& job = *jobs_[j].job;
    std::vector<NodeId>& order = orders_[j];
    if (order.empty()) {
      NodeChoice choice;
      if (job.nodes == JobSpec::Nodes::random) choice.order = NodeOrder::random;
      choice.seed = job.seed;
      order = order_of_nodes(platform_, choice);
    }
    const std::uint32_t type = platform_.type_of(wanted_[j][got_[j].size()]);
    const auto free = [&](NodeId node) {
      if (platform_.type_of(node) != type) return false;
      return job.share ? std::ranges::find(got_[j], node) == got_[j].end() : owner_[index(node)] == nullptr;
    };
    const auto found = std::ranges::find_if(order, free);
    if (found == order.end())
      throw InputError(
          "{}: job '{}' needs {} nodes, and of type '{}' only {} are left for it (a node is of one job). "
          "Fewer ranks, or "
          "'share: true'?",
          job.where, job.name, wanted_[j].size(), platform_.node_types[type].name, got_[j].size());
    if (!job.share) owner_[index(*found)] = &job;
    got_[j].push_back(*found);
    order.erase(found);
  }

  void move(std::size_t j) {
    std::map<NodeId, NodeId> to;
    for (std::size_t i = 0; i < wanted_[j].size(); ++i) to[wanted_[j][i]] = got_[j][i];
    for (Placement& place : jobs_[j].layout->placements) {
      place.node = to.at(place.node);
      place.host = host_of(platform_, place.node, place.gpu, place.socket_of_node);
    }
  }

  const Platform& platform_;
  std::vector<const JobSpec*> owner_;  ///< [nodes] who has it and does not share
  const std::vector<PlacedJob>& jobs_;
  std::vector<std::vector<NodeId>> wanted_, got_;      ///< [jobs]
  std::map<std::size_t, std::vector<NodeId>> orders_;  ///< by job: nodes it has not been given yet
};

}  // namespace

void place_jobs(const Platform& platform, const std::vector<PlacedJob>& jobs) {
  Places(platform, jobs).place();
  std::map<HostId, const JobSpec*> gpus;
  for (const PlacedJob& job : jobs)
    for (const Placement& place : job.layout->placements) {
      if (!place.gpu) continue;
      const JobSpec* other = gpus.try_emplace(place.host, job.job).first->second;
      if (other != job.job)
        throw InputError(
            "{}: jobs '{}' and '{}' are both on GPU {} of {} (what two programs on one GPU cost each other is not "
            "known). Use other nodes?",
            job.job->where, other->name, job.job->name, place.socket_of_node, platform.node_name(place.node));
    }
}

}  // namespace orrery
