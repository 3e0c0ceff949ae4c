// HandleField: the handle, with its availability checked during typing.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import * as v from 'valibot'
import type { ReplyOf } from '#contract/endpoint.ts'
import { checkHandle, handle } from '#contract/people/people.ts'
import { FormField, type SchemaForm } from '#src/domain/forms/form.tsx'
import { queryFor } from '#src/domain/queries/query.ts'
import { fieldText } from '#src/domain/api/errors-text.ts'
import { profileFormText as words } from '#src/domain/people/text.ts'
import { Field, TextInput } from '#src/ui/fields/field.tsx'

/** Pause in typing before the availability is requested, ms. */
const TYPING_PAUSE_MS = 400

export function HandleField<V extends { handle: string }>({
  form,
  own,
}: {
  form: SchemaForm<V & Record<string, string>>
  own: string | null
}) {
  return (
    <FormField of={form} name="handle">
      {({ value, error, input }) => <Typed value={String(value)} error={error} input={input} own={own} />}
    </FormField>
  )
}

interface TypedProps {
  value: string
  error: string | undefined
  input: React.ComponentProps<typeof TextInput>
  own: string | null
}

function Typed({ value, error, input, own }: TypedProps) {
  const availability = useAvailability(value, own)
  const parsed = v.safeParse(handle, value)
  return (
    <div>
      <Field
        label={words.handle}
        optional={words.optional}
        hint={words.handleHint}
        error={error ?? problemOf(availability)}
      >
        <div className="relative">
          <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center text-soft">
            @
          </span>
          <TextInput
            {...input}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className="pl-8"
          />
        </div>
      </Field>
      <output className="block text-sm text-good-text">
        {availability?.free === true && parsed.success ? words.handleFree(parsed.output) : ''}
      </output>
    </div>
  )
}

type Availability = ReplyOf<typeof checkHandle>

function problemOf(availability: Availability | undefined): string | undefined {
  if (availability?.free !== false) return undefined
  return availability.reserved ? fieldText.reserved : words.handleTaken
}

/** Undefined while it is not known, or need not be. */
function useAvailability(value: string, own: string | null): Availability | undefined {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  const wanted = v.safeParse(handle, useDeferredValue(paused))
  const isChecked = wanted.success && wanted.output !== own && paused === value
  const found = useQuery({
    ...queryFor(checkHandle, { query: { handle: wanted.success ? wanted.output : '' } }),
    enabled: isChecked,
  })
  return isChecked ? found.data : undefined
}
