/**
 * Node runs its ticks, then all promises that are settled, then the ticks that came of them, and after these looks at
 * other events.
 */
export function afterTurn (work: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(work)))
}
