// Opens and closes a field's list of options, and moves through it by arrow keys.
import { useId, useState, type KeyboardEvent } from 'react'
import { isConsumed } from './use-composed-text.ts'

/** Properties shared by a field and its list. */
export interface Options {
  /** Of the list; its options are `id-0`, `id-1` … */
  readonly id: string
  readonly shown: boolean
  /** Index of the option that Enter chooses; -1 for none. */
  readonly active: number
}

/** @param count options there are now; without any, no list is shown */
export function useOptions(count: number) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const shown = open && count > 0

  const close = (): void => setOpen(false)
  function onKeyDown(event: KeyboardEvent): void {
    if (isConsumed(event)) return
    if (event.key === 'Escape' && shown) {
      event.preventDefault()
      setOpen(false)
      setActive(-1)
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (count === 0) return
      event.preventDefault()
      setOpen(true)
      setActive((at) => stepped(at, event.key === 'ArrowDown' ? 1 : -1, count))
    }
  }
  return {
    id,
    shown,
    active,
    /** Opens the list of other options, none of them active. */
    restart: () => {
      setOpen(true)
      setActive(-1)
    },
    close,
    events: { onFocus: () => setOpen(true), onBlur: close, onKeyDown },
  }
}

/** Up and down go round, with the field itself between the last and the first. */
function stepped(at: number, by: 1 | -1, count: number): number {
  const places = count + 1
  return ((at + 1 + by + places) % places) - 1
}
