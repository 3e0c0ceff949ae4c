// useListKeys: keys by which staff move in a list: j, k, Enter, e and ?.
import { type RefObject, useLayoutEffect, useEffectEvent } from 'react'

interface ListKeys {
  /** The list; its rows have `data-row`, and what a row opens has `data-open`. */
  readonly list: RefObject<HTMLElement | null>
  readonly onHelp: () => void
  /** Called by e while no row has the focus. */
  readonly onEdit?: (() => void) | undefined
}

/** Where typed letters are text, and where another dialog has the keyboard. */
const TYPING = 'input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"]'

/** An open dialog has the keyboard. A toast, which has `data-type`, has the role of one and leaves the keyboard to the page. */
const DIALOG = '[role=dialog]:not([data-type]), [role=alertdialog]:not([data-type])'
export const isDialogOpen = (): boolean => document.querySelector(DIALOG) !== null

/** Moves the focus among rows: j to the next, k to the one before. Enter and e open a row, ? shows the keys. */
export function useListKeys({ list, onHelp, onEdit }: ListKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : undefined
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest(TYPING)) return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const present = rows.findIndex((it) => it.contains(document.activeElement))
    if (event.key === '?') onHelp()
    else if (event.key === 'e' && present === -1 && onEdit) onEdit()
    else if (event.key === 'j') rows[Math.min(present + 1, rows.length - 1)]?.focus()
    else if (event.key === 'k') rows[Math.max(present - 1, 0)]?.focus()
    else if (event.key === 'e' || (event.key === 'Enter' && target === rows[present]))
      rows[present]?.querySelector<HTMLElement>('[data-open]')?.click()
    else return
    event.preventDefault()
  })
  // Before the page is drawn, so that a key works from the moment its row or button is shown.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
