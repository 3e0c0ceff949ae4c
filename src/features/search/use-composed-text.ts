// The text of a field, with and without a composition under way.
import { useRef, useState, type CompositionEvent, type KeyboardEvent } from 'react'

/**
 * Whether the input method consumes a key. Safari ends a composition before it reports the key that ended it; all such
 * keys have the code 229.
 */
export const isConsumed = (event: KeyboardEvent): boolean =>
  event.nativeEvent.isComposing || event.keyCode === 229

/** The text of a field, with the events that the field passes on. */
export function useComposedText(initial: string) {
  const [typed, setTyped] = useState(initial)
  const [committed, setCommitted] = useState(initial)
  const [changed, setChanged] = useState(false)
  const composing = useRef(false)

  function change(value: string): void {
    setTyped(value)
    setChanged(true)
    if (!composing.current) setCommitted(value)
  }
  return {
    typed,
    /** Without the composition under way. */
    committed,
    /** Whether it was ever changed. */
    changed,
    change,
    isComposing: () => composing.current,
    events: {
      onCompositionStart: () => {
        composing.current = true
      },
      onCompositionEnd: (event: CompositionEvent<HTMLInputElement>) => {
        composing.current = false
        setCommitted(event.currentTarget.value)
      },
    },
  }
}
