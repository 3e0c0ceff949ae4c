// The form layer: one schema checks every form on input, change and submit; a refusal of the server lands on its field.
import { useForm, useStore } from '@tanstack/react-form'
import { useRef, useState, type ChangeEvent, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import * as v from 'valibot'
import { afterPress } from '#src/lib/after-press.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { useFormNote } from '#src/domain/drafts/form-note.ts'
import { useRestoring, useUnsaved } from '#src/domain/drafts/form-restoring.ts'
import { restoredText } from '#src/domain/text/text.ts'
import {
  complaint,
  nothingRefused,
  type Places,
  type Refusal,
  refusalOf,
  withoutField,
} from '#src/domain/api/refusal.ts'

type Value = string | boolean
type Values = Record<string, Value>
type Schema = v.GenericSchema<object, object>

interface Options<S extends Schema, V extends Values> {
  readonly schema: S
  /** The initial values; its keys are the form's fields. */
  readonly defaults: V
  /** Runs with what the schema made of the values, never while something is wrong. A sentence it gives back is shown. */
  readonly submit: (values: v.InferOutput<S>) => Promise<string | void>
  /** Which field to say a code at. */
  readonly places?: { readonly [Code in keyof Places]: keyof V & string }
  /** Names the form and what it changes. What is typed is then stored on the device; never passwords and codes. */
  readonly note?: string
}

/** A form over a schema. Its fields are `FormField`s; `shell` goes to the `Form` around them. */
export function useSchemaForm<S extends Schema, V extends Values>(options: Options<S, V>): SchemaForm<V> {
  const { schema, defaults, submit, places, note } = options
  const [refusal, setRefusal] = useState(nothingRefused)
  const unsaved = useUnsaved(defaults, useFormNote(note))
  const api = useValues(defaults, schema, async (value) => {
    setRefusal(nothingRefused)
    try {
      const said = await submit(v.parse(schema, value))
      if (typeof said === 'string') setRefusal({ fields: {}, whole: said })
      else unsaved.sent(value)
    } catch (failure) {
      setRefusal(refusalOf(failure, Object.keys(defaults), places))
      if (!(failure instanceof ApiFailure)) throw failure
    }
  })
  const discard = useRestoring(api, unsaved)
  return {
    api,
    schema,
    defaults,
    refusal,
    changed: (name) => setRefusal((it) => withoutField(it, name)),
    shell: {
      ...useShell(api),
      whole: refusal.whole,
      restored: discard && { ...restoredText, onDiscard: discard },
    },
  }
}

export interface SchemaForm<V extends Values> {
  readonly api: ReturnType<typeof useValues>
  readonly schema: Schema
  readonly defaults: V
  readonly refusal: Refusal
  /** The field is being changed: what the server said about its last value is past. */
  readonly changed: (name: string) => void
  readonly shell: ReturnType<typeof useShell> & {
    readonly whole: string | undefined
    readonly restored: { says: string; act: string; onDiscard: () => void } | undefined
  }
}

const useValues = (defaultValues: Values, schema: Schema, send: (value: Values) => Promise<void>) =>
  useForm({
    defaultValues,
    validators: { onChange: schema as v.GenericSchema<Values, object> },
    onSubmit: ({ value }) => send(value),
  })

/** What the form's own element needs. */
function useShell(api: ReturnType<typeof useValues>) {
  const sending = useRef(false)
  const busy = useStore(api.store, (state) => state.isSubmitting)

  async function send(element: HTMLFormElement): Promise<void> {
    // State arrives with the next render; a second press can come before it.
    if (sending.current) return
    sending.current = true
    try {
      await api.handleSubmit()
    } finally {
      sending.current = false
      requestAnimationFrame(() => showWhatIsWrong(element))
    }
  }

  return {
    busy,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      void send(event.currentTarget)
    },
    onKeyDown(event: KeyboardEvent) {
      // Enter commits an IME composition; Safari reports that only by the key code.
      const composing = event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229
      if (event.key === 'Enter' && composing) event.preventDefault()
    },
  }
}

/** Puts the caret where something is wrong, or shows what was said about the whole. */
function showWhatIsWrong(element: HTMLFormElement): void {
  const field = element.querySelector<HTMLElement>('[aria-invalid=true]')
  if (field) field.focus()
  else element.querySelector('[role=alert] > *')?.scrollIntoView({ block: 'center' })
}

/** What a control needs of its field. */
export interface FieldControl<T extends Value> {
  readonly value: T
  readonly error: string | undefined
  readonly onChange: (value: T) => void
  readonly onBlur: () => void
  /** The same for an `<input>`. */
  readonly input: {
    readonly name: string
    readonly value: string
    readonly onBlur: () => void
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
  }
}

interface FormFieldProps<V extends Values, Name extends keyof V & string> {
  readonly of: SchemaForm<V>
  readonly name: Name
  readonly children: (control: FieldControl<V[Name] extends boolean ? boolean : string>) => ReactNode
}

/** One field of a form: gives its control the value, the complaint, and what to call. */
export function FormField<V extends Values, Name extends keyof V & string>(props: FormFieldProps<V, Name>) {
  const { of: form, children } = props
  const name: string = props.name
  const pressed = useStore(form.api.store, (state) => state.submissionAttempts > 0)
  return (
    <form.api.Field name={name}>
      {(field) => {
        const { value, meta } = field.state
        // During the first typing into a field no error is shown yet.
        const looked = (meta.isBlurred && meta.isDirty) || pressed
        const onChange = (next: Value) => {
          form.changed(name)
          field.handleChange(next)
        }
        const onBlur = () =>
          afterPress(() => {
            field.handleBlur()
            const kept = keptOf(form.schema, name, field.state.value)
            if (kept !== undefined && kept !== field.state.value) field.handleChange(kept)
          })
        const error = form.refusal.fields[name] ?? (looked ? complaint(meta.errors[0]) : undefined)
        const input = {
          name,
          value: String(value),
          onBlur,
          onChange: (event: ChangeEvent<HTMLInputElement>) => onChange(event.target.value),
        }
        return children({ value, error, onChange, onBlur, input } as unknown as Parameters<
          typeof children
        >[0])
      }}
    </form.api.Field>
  )
}

/** What a rule keeps of a text (widths folded, spaces gone): shown once the field is left, so that it is no surprise. */
function keptOf(schema: Schema, name: string, value: Value): string | undefined {
  const rule = (schema as { entries?: Record<string, v.GenericSchema> }).entries?.[name]
  if (rule === undefined || typeof value !== 'string') return undefined
  const { success, output } = v.safeParse(rule, value)
  return success && typeof output === 'string' ? output : undefined
}
