// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_NAMESPACES_H_
#define BELAY_GUEST_NAMESPACES_H_

// A view of the system in which there is no network, no other process and no
// shared memory of others.

namespace belay::guest {

// Moves the calling process into namespaces of its own; its next child will be
// the first process of a process namespace. Call with one thread. False, with
// nothing that matters changed, where the system does not allow it.
bool EnterNamespaces();

// In that first child: /proc shows its own processes only, as far as the
// system allows.
void HideOtherProcesses();

}  // namespace belay::guest

#endif  // BELAY_GUEST_NAMESPACES_H_
