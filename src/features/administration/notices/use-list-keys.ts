// useListKeys: keys that move in a list of links and call actions.
import { useLayoutEffect } from 'react'

interface ListKeys {
  /** The links of the rows, in their order. */
  readonly links: () => readonly HTMLElement[]
  /** Actions by key. `e` opens the focused row by itself. */
  readonly actions: Readonly<Record<string, () => void>>
}

/** Whether a key belongs to what is typed, to the browser, or to an open dialog. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || event.isComposing)
    return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  return target.closest('input, textarea, select, [contenteditable], [role=dialog]') !== null
}

/** `j` and `k` focus the next and the previous link, `e` opens the focused one. */
export function useListKeys({ links, actions }: ListKeys): void {
  // Before the page is drawn, so that a key works from the moment its row or button is shown.
  useLayoutEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isTaken(event)) return
      const all = links()
      const at = all.findIndex((it) => it === document.activeElement)
      const act: Readonly<Record<string, (() => void) | undefined>> = {
        ...actions,
        j: () => all[Math.min(at + 1, all.length - 1)]?.focus(),
        k: () => all[Math.max(at - 1, 0)]?.focus(),
        e: () => all[at]?.click(),
      }
      const chosen = act[event.key]
      if (!chosen) return
      event.preventDefault()
      chosen()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [links, actions])
}
