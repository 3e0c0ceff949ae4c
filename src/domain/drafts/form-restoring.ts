// Stores text typed into a form, and restores it when the form opens again.
import { useLayoutEffect, useRef, useState } from 'react'
import { changedFields, type FormNote, type TypedFields } from './form-note.ts'

/** The used part of TanStack's form API. */
interface FormApi {
  readonly state: { readonly values: TypedFields }
  readonly store: { subscribe(listener: () => void): { unsubscribe(): void } }
  setFieldValue(name: string, value: string | boolean): void
  reset(): void
}

/**
 * Tracks which values of a form are not saved yet.
 * @param saved values of the fields in which nothing was typed
 */
export function useUnsaved(saved: TypedFields, note: FormNote | undefined) {
  const [isRestored, setRestored] = useState(false)
  const base = useRef(saved)
  const lastSent = useRef<TypedFields>({})
  const savedJson = JSON.stringify(saved)
  useLayoutEffect(() => {
    base.current = JSON.parse(savedJson) as TypedFields
  }, [savedJson])
  const clear = () => {
    note?.save({})
    setRestored(false)
  }
  return {
    note,
    base,
    /** Values sent last. The server may have stored them normalized, such as in other widths. */
    last: lastSent,
    isRestored,
    setRestored,
    clear,
    /** Called when the server has accepted these values. */
    sent(values: TypedFields) {
      lastSent.current = values
      clear()
    },
  }
}

/** Restores unsent values. @returns discards them; undefined when nothing was restored */
export function useRestoring(api: FormApi, unsaved: ReturnType<typeof useUnsaved>): (() => void) | undefined {
  const { note, base, last, isRestored, setRestored, clear } = unsaved
  useLayoutEffect(() => {
    if (!note) return undefined
    const restore = () => {
      if (Object.keys(changedFields(api.state.values, base.current)).length > 0) return
      const isField = ([name, value]: [string, string | boolean]) =>
        typeof base.current[name] === typeof value && base.current[name] !== value
      const found = Object.entries(note.get().fields).filter(isField)
      for (const [name, value] of found) api.setFieldValue(name, value)
      if (found.length > 0) setRestored(true)
    }
    restore()
    const stop = note.subscribe(restore)
    const { unsubscribe } = api.store.subscribe(() =>
      note.save(changedFields(changedFields(api.state.values, base.current), last.current)),
    )
    return () => {
      stop()
      unsubscribe()
    }
  }, [api, note, base, last, setRestored])
  if (!isRestored) return undefined
  return () => {
    api.reset()
    clear()
  }
}
