// SPDX-License-Identifier: Apache-2.0
// What a kernel asks about its tiling (belay/guest_abi.h).

#include <fmt/format.h>

#include "base/catalogue.h"
#include "belay/guest_abi.h"
#include "runtime/guest_fault.h"

using belay::runtime::Device;

uint64_t belay_tiling_key() {
  const Device* device = Device::Get();
  return device == nullptr ? 0 : device->tiling_key();
}

uint32_t belay_tiling_key_is(uint64_t key) {
  const belay::runtime::GuestPlace place = BELAY_GUEST_PLACE();
  return belay::runtime::RunningDevice("TILING_KEY_IS", place)
      .AskTilingKey(key, place.pc);
}

void belay_set_tiling_key(uint64_t key) { Device::Get()->SetTilingKey(key); }

void belay_require_tiling(const void* tiling, uint64_t bytes) {
  const belay::runtime::GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = belay::runtime::RunningDevice("GET_TILING_DATA", place);
  const auto address = reinterpret_cast<uint64_t>(tiling);
  const auto* allocation = device.chip().global().Find(address);
  // Elsewhere the read itself is judged.
  if (allocation == nullptr) return;
  const uint64_t offset = address - allocation->base;
  const uint64_t there =
      allocation->bytes > offset ? allocation->bytes - offset : 0;
  if (bytes <= there) return;
  belay::runtime::FailGuest(
      belay::code::kH106,
      fmt::format("[GET_TILING_DATA] the kernel reads {} bytes of tiling data, "
                  "but only {} were written",
                  bytes, there),
      "let tiling write the struct that the kernel reads: register it with "
      "REGISTER_TILING_DATA_CLASS, save it with SaveToBuffer and set its size "
      "with SetDataSize",
      place);
}
