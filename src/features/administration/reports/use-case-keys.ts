// Keys of the page of cases: j, k, Enter, t, e, Escape, ?.
import { useLayoutEffect, useEffectEvent } from 'react'
import { isDialogOpen } from '#src/features/administration/list-keys.ts'

/** Buttons that keys press, by their attribute `data-key`. */
const pressed = ['t', 'e'] as const

interface CaseKeys {
  /** The case that is open. */
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
  readonly onHelp: () => void
}

/** Keys work outside of fields and dialogs, and without a modifier key. */
export function useCaseKeys({ open, onOpen, onHelp }: CaseKeys): void {
  /** Moves to the next or previous case; an open one is followed, otherwise only the focus moves. */
  const move = (by: 1 | -1) => {
    const rows = [...document.querySelectorAll<HTMLElement>('[data-case]')]
    const focused = rows.findIndex((it) => it === document.activeElement)
    const from = focused === -1 ? rows.findIndex((it) => it.dataset['case'] === open) : focused
    const next = rows[from === -1 ? 0 : from + by]
    next?.focus()
    if (open !== undefined && next?.dataset['case'] !== undefined) onOpen(next.dataset['case'])
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    const at = event.target instanceof Element ? event.target : document.body
    if (at.closest('input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog]')) return
    if (isDialogOpen()) return
    if (event.key === '?') onHelp()
    else if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1)
    else if (event.key === 'Escape' && open !== undefined) onOpen(undefined)
    else if (pressed.some((it) => it === event.key))
      document.querySelector<HTMLElement>(`[data-key=${event.key}]`)?.click()
    else return
    event.preventDefault()
  })
  // Before the page is drawn, so that a key works from the moment its row or button is shown.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
