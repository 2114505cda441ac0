/**
 * Calls `work` once the current work has settled, but before other events. Node runs its ticks, then all settled
 * promises, then the ticks that came of those, and only then looks at other events.
 */
export function afterTurn (work: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(work)))
}
