// Keys of the list of conversations: arrows, j and k move between its rows.
import { useEffect, useLayoutEffect, type RefObject } from 'react'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

/**
 * Moves from the focused row to the next one. Only a focused row has keys: letters that act on the whole page are hit by
 * speech input, and arrows scroll it.
 */
function moveByKey(list: HTMLElement, event: KeyboardEvent): void {
  const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
  const step = steps[key]
  if (step === undefined || ctrlKey || metaKey || altKey || shiftKey) return
  // The row's menu has arrows of its own, and an open one is not in the list.
  if (event.defaultPrevented || !(target instanceof HTMLAnchorElement)) return
  const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'])
  if (Number.isNaN(index)) return
  event.preventDefault()
  list.querySelector<HTMLElement>(`[data-index="${index + step}"] a`)?.focus()
}

export function useListKeys(list: RefObject<HTMLElement | null>): void {
  // Before the page is drawn, so that a key works from the moment its row or button is shown.
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const onKey = (event: KeyboardEvent) => moveByKey(element, event)
    element.addEventListener('keydown', onKey)
    return () => element.removeEventListener('keydown', onKey)
  }, [list])
}

/** Key of the row whose conversation was opened last. */
let opened: string | undefined

export const noteOpened = (key: string): void => {
  opened = key
}

/** Focuses the row whose conversation was left, once it is in the document, so that the keys continue there. */
export function useOpenedFocus(list: RefObject<HTMLElement | null>, rows: number): void {
  useEffect(() => {
    if (opened === undefined || rows === 0) return
    const row = list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(opened)}"] a`)
    if (!row) return
    opened = undefined
    if (document.activeElement === document.body) row.focus({ preventScroll: true })
  }, [list, rows])
}
