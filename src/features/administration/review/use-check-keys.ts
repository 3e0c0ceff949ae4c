// Keys of an identity check: j, k, n, t, e, d, Escape, ?.
import { useLayoutEffect, useEffectEvent } from 'react'
import { isDialogOpen } from '#src/features/administration/list-keys.ts'

/** The attribute `data-key` of the button or link that each key presses. */
const pressed: Readonly<Record<string, string>> = {
  j: 'j',
  n: 'j',
  k: 'k',
  t: 't',
  e: 'e',
  d: 'd',
  Escape: 'back',
  '?': 'help',
}

/** Keys work outside of fields and dialogs, and without a modifier key. */
export function useCheckKeys(): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    const at = event.target instanceof Element ? event.target : document.body
    if (at.closest('input, textarea, select, [contenteditable]') || isDialogOpen()) return
    const key = pressed[event.key]
    const button = key === undefined ? null : document.querySelector<HTMLElement>(`[data-key=${key}]`)
    if (!button) return
    event.preventDefault()
    button.click()
  })
  // Before the page is drawn, so that a key works from the moment its row or button is shown.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
