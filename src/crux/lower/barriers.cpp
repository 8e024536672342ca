// SPDX-License-Identifier: Apache-2.0
#include "crux/lower/barriers.h"

#include <algorithm>
#include <compare>
#include <set>
#include <string>

#include "crux/ir/walk.h"

namespace belay::crux::lower {
namespace {

using ir::StmtKind;

// A tensor, or the element of a list that has the number.
struct Place {
  int tensor = 0;
  std::string element;

  friend auto operator<=>(const Place&, const Place&) = default;
};

using Places = std::set<Place>;

// Tensors touched since all cores met.
struct Touched {
  Places loads;
  Places stores;        // by any core
  Places first_stores;  // by the first core alone
  Places additions;     // atomic: they do not disturb each other

  bool empty() const {
    return loads.empty() && stores.empty() && first_stores.empty() &&
           additions.empty();
  }
};

// Elements numbered `apart` are another one each time.
bool Meet(const Places& a, const Places& b, const std::string& apart) {
  return std::any_of(a.begin(), a.end(), [&](const Place& one) {
    return std::any_of(b.begin(), b.end(), [&](const Place& other) {
      return one.tensor == other.tensor &&
             (apart.empty() || one.element != apart || other.element != apart);
    });
  });
}

bool Conflict(const Touched& before, const Touched& now,
              const std::string& apart = "") {
  const auto one_way = [&](const Touched& a, const Touched& b) {
    return Meet(a.stores, b.loads, apart) || Meet(a.stores, b.stores, apart) ||
           Meet(a.stores, b.first_stores, apart) ||
           Meet(a.stores, b.additions, apart) ||
           Meet(a.first_stores, b.loads, apart) ||
           Meet(a.first_stores, b.additions, apart) ||
           Meet(a.additions, b.loads, apart);
  };
  return one_way(before, now) || one_way(now, before);
}

void Add(const Touched& from, Touched& to) {
  to.loads.insert(from.loads.begin(), from.loads.end());
  to.stores.insert(from.stores.begin(), from.stores.end());
  to.first_stores.insert(from.first_stores.begin(), from.first_stores.end());
  to.additions.insert(from.additions.begin(), from.additions.end());
}

class BarrierPass {
 public:
  explicit BarrierPass(const ir::Kernel& kernel) : kernel_(kernel) {}

  // `state`: touched before, then after. `head`, if not null, gets what the
  // block touches before its first meeting.
  void Visit(ir::Block& block, Touched& state, Touched* head) {
    ir::Block result;
    const auto meet = [&] {
      auto sync = std::make_shared<ir::Stmt>();
      sync->kind = StmtKind::kSyncAll;
      result.push_back(std::move(sync));
      state = Touched();
      head = nullptr;
    };
    const auto note = [&](const Touched& touched) {
      Add(touched, state);
      if (head != nullptr) Add(touched, *head);
    };
    for (const auto& stmt : block) {
      const bool cores = stmt->loop && stmt->loop->cores;
      const bool nested = !cores && (stmt->kind == StmtKind::kLoop ||
                                     stmt->kind == StmtKind::kIf);
      if (!nested) {
        const Touched touched = TouchedBy(*stmt);
        if (Conflict(state, touched)) meet();
        result.push_back(stmt);
        note(touched);
        continue;
      }
      Touched first;
      Touched after = state;
      if (stmt->kind == StmtKind::kLoop) {
        Visit(stmt->loop->body, after, &first);
        // From the end of one iteration to the begin of the next.
        if (Conflict(after, first, stmt->loop->name)) {
          auto sync = std::make_shared<ir::Stmt>();
          sync->kind = StmtKind::kSyncAll;
          stmt->loop->body.push_back(std::move(sync));
          after = Touched();
        }
      } else {
        Touched otherwise = state;
        Visit(stmt->body, after, &first);
        Visit(stmt->otherwise, otherwise, &first);
        Add(otherwise, after);
      }
      result.push_back(stmt);
      // It may not have run: what was touched before stays.
      if (head != nullptr) Add(first, *head);
      Add(after, state);
    }
    block = std::move(result);
  }

 private:
  Touched TouchedBy(const ir::Stmt& stmt) const {
    Touched touched;
    const bool cores = stmt.loop && stmt.loop->cores;
    const auto visit = [&](const ir::Stmt& inner) {
      const int id = inner.access.tensor;
      const Place place = {id, ToText(inner.access.element)};
      switch (inner.kind) {
        case StmtKind::kLoad:
          if (kernel_.tensors[static_cast<size_t>(id)].role !=
              ir::TensorRole::kIn) {
            touched.loads.insert(place);
          }
          break;
        case StmtKind::kStore:
          (cores ? touched.stores : touched.first_stores).insert(place);
          break;
        case StmtKind::kAtomicAdd:
          touched.additions.insert(place);
          break;
        default:
          break;
      }
    };
    if (stmt.loop) {
      ir::ForEachStmt(stmt.loop->body, visit);
    } else {
      visit(stmt);
    }
    return touched;
  }

  const ir::Kernel& kernel_;
};

}  // namespace

void InsertBarriers(ir::Kernel& kernel) {
  Touched state;
  BarrierPass(kernel).Visit(kernel.body, state, nullptr);
}

}  // namespace belay::crux::lower
