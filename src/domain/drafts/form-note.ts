// Unsent values of a form, stored on the device and restored when it opens.
import { useMemo, useState } from 'react'
import * as v from 'valibot'
import { createStore, useStore } from '#src/lib/store.ts'
import { FORM_NOTE } from './own-notes.ts'
import { useMember } from '#src/domain/session/session.ts'
import { type NoteKind, TypedNote } from './typed-note.ts'

type Value = string | boolean
/** Fields whose values differ from what is saved. */
export type TypedFields = Readonly<Record<string, Value>>

const schema = v.object({
  fields: v.record(v.string(), v.union([v.string(), v.boolean()])),
  at: v.optional(v.number(), 0),
})
const kind: NoteKind<v.InferOutput<typeof schema>> = {
  schema,
  empty: { fields: {}, at: 0 },
  isEmpty: ({ fields }) => Object.keys(fields).length === 0,
}

export class FormNote extends TypedNote<v.InferOutput<typeof schema>> {
  constructor(ownerId: string, name: string) {
    super(ownerId, FORM_NOTE + name, kind)
  }

  /** Stores the fields that differ from the saved values; none after sending or discarding. */
  save(fields: TypedFields): void {
    if (!sameFields(fields, this.get().fields)) this.change({ fields })
  }
}

function sameFields(one: TypedFields, other: TypedFields): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((it) => one[it] === other[it])
}

/** The values that differ from what is saved. */
export function changedFields(values: TypedFields, saved: TypedFields): TypedFields {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => saved[name] !== value))
}

/** The owner of notes of forms that are typed without a session. */
const VISITOR = 'visitor'

/**
 * The signed-in person's note of a form.
 * @param name of the form and its subject; undefined for no note
 * @param forVisitors whether a visitor has one too
 */
export function useFormNote(name: string | undefined, forVisitors = false): FormNote | undefined {
  const ownerId = useMember()?.id ?? (forVisitors ? VISITOR : undefined)
  return useMemo(
    () => (ownerId === undefined || name === undefined ? undefined : new FormNote(ownerId, name)),
    [ownerId, name],
  )
}

const none: TypedFields = {}
const noNote = createStore({ fields: none })

/**
 * The values of a form without a schema, such as one field in a sheet.
 * @param name of the form and its subject
 * @param saved values of the fields in which nothing was typed
 */
export function useTypedFields<V extends Record<string, string>>(name: string, saved: V) {
  const note = useFormNote(name)
  const { fields } = useStore<{ fields: TypedFields }>(note ?? noNote)
  // Without a session there is no note; the values stay in this component.
  const [localFields, setLocalFields] = useState<TypedFields>(none)
  const [touched, setTouched] = useState(false)
  const typed = note ? fields : localFields
  const values = { ...saved }
  for (const key of Object.keys(saved) as (keyof V & string)[]) {
    const value = typed[key]
    if (typeof value === 'string') values[key] = value as V[typeof key]
  }
  const save = (next: TypedFields) => (note ? note.save(next) : setLocalFields(next))
  return {
    values,
    change(change: Partial<V>) {
      setTouched(true)
      save(changedFields({ ...values, ...change }, saved))
    },
    /** Called after the form was sent or discarded. */
    clear: () => save(none),
    /** Whether the fields show values from an earlier visit. */
    isRestored: !touched && Object.keys(typed).length > 0,
  }
}
