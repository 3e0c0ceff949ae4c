// Stores text typed into a form, and restores it when the form opens again.
import { useLayoutEffect, useRef, useState } from 'react'
import { changedFields, type FormNote, type TypedFields } from './form-note.ts'

/** The part of a form's state that is used. */
interface FormApi {
  readonly state: { readonly values: TypedFields }
  readonly store: { subscribe(listener: () => void): { unsubscribe(): void } }
  setFieldValue(name: string, value: string | boolean): void
  reset(): void
}

/**
 * What of a form is saved, and what is not.
 * @param saved the values of the fields where nothing was typed
 */
export function useUnsaved(saved: TypedFields, note: FormNote | undefined) {
  const [isRestored, setRestored] = useState(false)
  const base = useRef(saved)
  const last = useRef<TypedFields>({})
  const given = JSON.stringify(saved)
  useLayoutEffect(() => {
    base.current = JSON.parse(given) as TypedFields
  }, [given])
  const clear = () => {
    note?.keep({})
    setRestored(false)
  }
  return {
    note,
    base,
    /** What the server was given last; it may have saved it in another form, such as other widths. */
    last,
    isRestored,
    setRestored,
    clear,
    /** The server has these values. */
    sent(values: TypedFields) {
      last.current = values
      clear()
    },
  }
}

/** @returns takes out what was typed at an earlier time; undefined where the fields hold no such thing */
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
      note.keep(changedFields(changedFields(api.state.values, base.current), last.current)),
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
