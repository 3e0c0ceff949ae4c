// Forms over a schema, which validates on every change; refusals are shown at their fields.
import { useForm, useStore } from '@tanstack/react-form'
import { useRef, useState, type ChangeEvent, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import * as v from 'valibot'
import { afterPress } from '#src/lib/after-press.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { useFormNote } from '#src/domain/drafts/form-note.ts'
import { useRestoring, useUnsaved } from '#src/domain/drafts/form-restoring.ts'
import { restoredText } from '#src/domain/text/text.ts'
import {
  issueText,
  noRefusal,
  type FieldsByCode,
  type Refusal,
  refusalOf,
  withoutField,
} from '#src/domain/api/refusal.ts'

type Value = string | boolean
type Values = Record<string, Value>
type Schema = v.GenericSchema<object, object>

interface Options<S extends Schema, V extends Values> {
  readonly schema: S
  /** Initial values; the keys are the form's fields. */
  readonly defaults: V
  /** Called with the schema's output if all values are valid. A returned sentence is shown. */
  readonly submit: (values: v.InferOutput<S>) => Promise<string | void>
  /** The field at which a code is shown. */
  readonly places?: { readonly [Code in keyof FieldsByCode]: keyof V & string }
  /** Name of the form and its subject; stores typed values on the device. Not for passwords and codes. */
  readonly note?: string
  /** Whether what a visitor typed is stored too. */
  readonly forVisitors?: boolean
}

/** A form over a schema. Its fields are `FormField`s; `shell` goes to the `Form` around them. */
export function useSchemaForm<S extends Schema, V extends Values>(options: Options<S, V>): SchemaForm<V> {
  const { schema, defaults, submit, places, note, forVisitors } = options
  const [refusal, setRefusal] = useState(noRefusal)
  const unsaved = useUnsaved(defaults, useFormNote(note, forVisitors))
  const api = useValues(defaults, schema, async (value) => {
    setRefusal(noRefusal)
    try {
      const message = await submit(v.parse(schema, value))
      if (typeof message === 'string') setRefusal({ fields: {}, whole: message })
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
  /** Called when a field changes: removes the server's refusal of its last value. */
  readonly changed: (name: string) => void
  readonly shell: ReturnType<typeof useShell> & {
    readonly whole: string | undefined
    readonly restored: { sentence: string; action: string; onDiscard: () => void } | undefined
  }
}

const useValues = (defaultValues: Values, schema: Schema, send: (value: Values) => Promise<void>) =>
  useForm({
    defaultValues,
    validators: { onChange: schema as v.GenericSchema<Values, object> },
    onSubmit: ({ value }) => send(value),
  })

/** Properties of the `<form>` element. */
function useShell(api: ReturnType<typeof useValues>) {
  const sending = useRef(false)
  const busy = useStore(api.store, (state) => state.isSubmitting)

  async function send(element: HTMLFormElement): Promise<void> {
    // A second press can come before the next render.
    if (sending.current) return
    sending.current = true
    try {
      await api.handleSubmit()
    } finally {
      sending.current = false
      requestAnimationFrame(() => showFirstError(element))
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

/** Focuses the first invalid field, or scrolls to the sentence about the whole form. */
function showFirstError(element: HTMLFormElement): void {
  const field = element.querySelector<HTMLElement>('[aria-invalid=true]')
  if (field) field.focus()
  else element.querySelector('[role=alert] > *')?.scrollIntoView({ block: 'center' })
}

/** Value and handlers that a control receives from its field. */
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

/** One field of a form: passes value, error and handlers to its control. */
export function FormField<V extends Values, Name extends keyof V & string>(props: FormFieldProps<V, Name>) {
  const { of: form, children } = props
  const name: string = props.name
  const submitted = useStore(form.api.store, (state) => state.submissionAttempts > 0)
  return (
    <form.api.Field name={name}>
      {(field) => {
        const { value, meta } = field.state
        // No error is shown while a field is first typed into.
        const showsError = (meta.isBlurred && meta.isDirty) || submitted
        const onChange = (next: Value) => {
          form.changed(name)
          field.handleChange(next)
        }
        const onBlur = () =>
          afterPress(() => {
            field.handleBlur()
            const normalized = normalizedBy(form.schema, name, field.state.value)
            if (normalized !== undefined && normalized !== field.state.value) field.handleChange(normalized)
          })
        const error = form.refusal.fields[name] ?? (showsError ? issueText(meta.errors[0]) : undefined)
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

/** The value as the schema normalizes it (widths, spaces), shown after the field is left. */
function normalizedBy(schema: Schema, name: string, value: Value): string | undefined {
  const rule = (schema as { entries?: Record<string, v.GenericSchema> }).entries?.[name]
  if (rule === undefined || typeof value !== 'string') return undefined
  const { success, output } = v.safeParse(rule, value)
  return success && typeof output === 'string' ? output : undefined
}
