#include "sim/engine/simgrid/compatibility.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <unordered_map>
#include <vector>

#include "sim/engine/simgrid/versions.hpp"

namespace orrery::engine::simgrid {

namespace {

namespace sg = ::simgrid;
using sg::kernel::resource::Action;
using sg::kernel::resource::Model;
using sg::kernel::resource::StandardLinkImpl;
using sg::kernel::routing::NetPoint;

/// Puts our handlers back when it goes. SimGrid's print its own state on Ctrl-C, which a terminal sends to children too, and
/// (from 4.1) no more than 'Segmentation fault' where a kernel crashes.
class OurHandlers {
 public:
  OurHandlers() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], nullptr, &ours_[i]);
  }
  ~OurHandlers() {
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &ours_[i], nullptr);
  }
  OurHandlers(const OurHandlers&) = delete;
  OurHandlers& operator=(const OurHandlers&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGSEGV, SIGBUS};
  std::array<struct sigaction, signals.size()> ours_{};
};

/// A zone whose only route is that of the flow being started: nothing is materialised.
class FlowZone final : public sg::kernel::routing::NetZoneImpl {
 public:
  FlowZone() : NetZoneImpl("orrery") {}
  std::vector<StandardLinkImpl*> links;
  std::span<const std::uint32_t> current;

  void get_local_route(const NetPoint*, const NetPoint*, sg::kernel::routing::Route* into, double* latency) override {
    into->link_list_.reserve(current.size());
    for (const std::uint32_t resource : current) into->link_list_.push_back(links[resource]);
    if (latency != nullptr) *latency = 0.0;
  }
};

/// Our timers as SimGrid sees them: a model without resources that knows when it wants to be woken.
class TimerModel final : public Model {
 public:
  explicit TimerModel(Events& events) : Model("orrery timers"), events_(events) {}
  double next_occurring_event(double now) override {
    const double date = events_.next_date();
    if (date == std::numeric_limits<double>::infinity()) return -1.0;
    return date > now ? date - now : 0.0;
  }
  void update_actions_state(double, double) override {}

 private:
  Events& events_;
};

void configure(const Settings& settings) {
  xbt_log_control_set("xbt_cfg.thres:warning");  // it announces every option
  const auto set = [](const char* text) { sg::s4u::Engine::set_config(std::string(text)); };
  set("network/model:CM02");
  set("network/crosstraffic:0");
  set("network/TCP-gamma:0");
  set("network/weight-S:0");
  set("contexts/stack-size:64");
  // Its default of 1e-9 s ends flows together that do not end together: a contended run came out 5 % too short
  // (validation/engines), and the finer value costs nothing that can be measured.
  set("surf/precision:1e-12");
  if (settings.tight_precision) {
    set("network/optim:Full");
    set("maxmin/precision:1e-12");
    set("surf/precision:1e-14");
  }
}

}  // namespace

struct Simulation::Parts {
  explicit Parts(Events& observer) : events(observer) {}

  Events& events;
  sg::s4u::Engine* engine = nullptr;
  FlowZone* zone = nullptr;
  sg::s4u::Host* host = nullptr;
  Model* network = nullptr;
  std::vector<sg::s4u::CommPtr> comms;  ///< [slots] one per concurrent flow, started again and again
  std::vector<std::uint32_t> flow_of_slot, free_slots;
  std::unordered_map<std::uint32_t, Action*> action_of;  ///< by flow, of those under way
  std::unordered_map<const sg::kernel::activity::ActivityImpl*, std::uint32_t>
      slot_of;                       ///< by SimGrid's side of a Comm
  std::vector<std::uint32_t> ended;  ///< scratch

  void harvest();
};

Simulation::Simulation(const Settings& settings, Events& events) : parts_(std::make_unique<Parts>(events)) {
  static std::string program = "orrery";
  static char* arguments[] = {program.data(), nullptr};
  int count = 1;
  const OurHandlers ours;
  // Neither the engine nor the Comms are ever destroyed: SimGrid's tear-down would touch actions that are gone.
  parts_->engine = new sg::s4u::Engine(&count, arguments);
  configure(settings);
  parts_->zone = new FlowZone;
  enter_platform(*parts_->zone);
  parts_->host = add_host(*parts_->zone, "host", 1.0);
  const std::vector<Model*> before = parts_->engine->get_all_models();
  for (Model* model : before)
    if (model->get_name() == "Network_CM02") parts_->network = model;
  assert(parts_->network != nullptr);
  parts_->engine->add_model(std::make_shared<TimerModel>(events));
  sg::s4u::Engine::on_time_advance_cb([parts = parts_.get()](double) { parts->harvest(); });
}

Simulation::~Simulation() {
  // Leaves the Comms alive: see above.
  for (auto& comm : parts_->comms) comm.detach();
}

void Simulation::add_resource(double capacity) {
  sg::s4u::Link* link = add_link(*parts_->zone, fmt::format("r{}", parts_->zone->links.size()), capacity);
  link->set_latency(0.0);
  parts_->zone->links.push_back(link->get_impl());
}

void Simulation::start_flow(std::uint32_t flow, std::span<const std::uint32_t> route, double bytes, double cap) {
  Parts& parts = *parts_;
  std::uint32_t slot = 0;
  parts.zone->current = route;
  if (parts.free_slots.empty()) {
    slot = static_cast<std::uint32_t>(parts.comms.size());
    parts.flow_of_slot.push_back(flow);
    parts.comms.push_back(sg::s4u::Comm::sendto_init());
    sg::s4u::CommPtr& comm = parts.comms.back();
    comm->set_source(parts.host);
    comm->set_payload_size(1);
    comm->set_destination(parts.host);  // starts it
  } else {
    slot = parts.free_slots.back();
    parts.free_slots.pop_back();
    parts.flow_of_slot[slot] = flow;
    parts.comms[slot]->set_state(sg::s4u::Activity::State::STARTING);
    parts.comms[slot]->start();
  }
  Action& action = parts.network->get_started_action_set()->back();
  action.set_cost(bytes);
  action.set_remains(bytes);
  if (cap > 0.0) action.set_bound(cap);
  parts.action_of[flow] = &action;
  parts.slot_of[action.get_activity()] = slot;
}

void Simulation::bound_flow(std::uint32_t flow, double cap) { parts_->action_of.at(flow)->set_bound(cap); }

/// Takes the ended actions before SimGrid looks at them: their Comms are then ours to start again, and SimGrid's list
/// of detached communications, which it would scan at each end, is never touched.
void Simulation::Parts::harvest() {
  const double now = sg::s4u::Engine::get_clock();
  ended.clear();
  while (Action* action = network->extract_done_action()) {
    const std::uint32_t slot = slot_of.at(action->get_activity());
    action->unref();
    free_slots.push_back(slot);
    ended.push_back(flow_of_slot[slot]);
    action_of.erase(flow_of_slot[slot]);
  }
  std::ranges::sort(ended);
  for (const std::uint32_t flow : ended) events.flow_ended(flow, now);
  events.time_advanced(now);
}

void Simulation::run() { parts_->engine->run(); }

std::string Simulation::version() { return fmt::format("{}.{}", SIMGRID_VERSION / 10000, SIMGRID_VERSION / 100 % 100); }

}  // namespace orrery::engine::simgrid
