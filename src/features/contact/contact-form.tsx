// ContactForm: the fields of one kind of inquiry; what is typed stays on the device.
import { type ReactNode, useState } from 'react'
import { newId } from '#contract/ids.ts'
import { claimFields, contactFields, type InquiryBody, sendInquiry } from '#contract/inquiries/inquiries.ts'
import { type InquiryKind, MAX_INQUIRY_RIGHT, MAX_INQUIRY_TEXT } from '#contract/inquiries/states.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { FormField, type SchemaForm, useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { TextField } from '#src/ui/fields/text-field.tsx'
import { contactText as words } from './text.ts'

export function ContactForm({ kind }: { kind: InquiryKind }) {
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined)
    return (
      <section aria-labelledby="sent" aria-live="polite" className="mt-8">
        <h2 id="sent" className="mb-2 text-lg font-semibold">
          {words.sentTitle}
        </h2>
        <p className="mb-5 break-words text-read">{words.sent(sentTo)}</p>
        <Button look="quiet" onClick={() => setSentTo(undefined)}>
          {words.again}
        </Button>
      </section>
    )
  return (
    <section className="mt-8">
      <p className="mb-6 text-read">{words.leads[kind]}</p>
      {kind === 'contact' ? <Contact onSent={setSentTo} /> : <Claim kind={kind} onSent={setSentTo} />}
    </section>
  )
}

/** Sends a form. @returns a sentence when it was refused as a whole */
async function send(body: InquiryBody, onSent: (email: string) => void): Promise<string | void> {
  try {
    await call(sendInquiry, { body })
    onSent(body.email)
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'rate_limited') return words.limited
    throw failure
  }
}

const person = { name: '', email: '', text: '' }

function Contact({ onSent }: { onSent: (email: string) => void }) {
  const [id] = useState(newId)
  const form = useSchemaForm({
    schema: contactFields,
    defaults: person,
    note: 'contact',
    forVisitors: true,
    submit: (values) => send({ kind: 'contact', id, ...values }, onSent),
  })
  return (
    <Form {...form.shell} action={words.send} busyLabel={text.working}>
      <Line of={form} name="name" label={words.name} autoComplete="name" />
      <Line of={form} name="email" label={words.email} hint={words.emailHint} type="email" />
      <Lines of={form} name="text" label={words.message} max={MAX_INQUIRY_TEXT} />
    </Form>
  )
}

const blank = { ...person, url: '', right: '', reason: '', declared: false, may_tell_name: false }

interface ClaimProps {
  kind: Exclude<InquiryKind, 'contact'>
  onSent: (email: string) => void
}

function Claim({ kind, onSent }: ClaimProps) {
  const [id] = useState(newId)
  const form = useSchemaForm({
    schema: claimFields,
    defaults: blank,
    note: `contact.${kind}`,
    forVisitors: true,
    submit: (values) => send({ kind, id, ...values }, onSent),
  })
  return (
    <Form {...form.shell} action={words.send} busyLabel={text.working}>
      <Line of={form} name="name" label={words.name} autoComplete="name" />
      <Line of={form} name="email" label={words.email} hint={words.emailHint} type="email" />
      <Line of={form} name="url" label={words.url} hint={words.urlHint} type="url" />
      <Lines of={form} name="right" label={words.right} hint={words.rightHint} max={MAX_INQUIRY_RIGHT} />
      <Lines of={form} name="text" label={words.claim} hint={words.claimHint} max={MAX_INQUIRY_TEXT} />
      <Lines of={form} name="reason" label={words.reason} hint={words.reasonHint} max={MAX_INQUIRY_TEXT} />
      <FormField of={form} name="may_tell_name">
        {({ value, onChange }) => <Check label={words.mayTell} checked={value} onChange={onChange} />}
      </FormField>
      <FormField of={form} name="declared">
        {({ value, error, onChange, onBlur }) => (
          <Check label={words.declared} checked={value} error={error} onChange={onChange} onBlur={onBlur} />
        )}
      </FormField>
    </Form>
  )
}

interface PartProps<V extends typeof person> {
  of: SchemaForm<V>
  name: keyof V & string
  label: string
  hint?: string
}

type LineProps<V extends typeof person> = PartProps<V> & { type?: string; autoComplete?: string }

function Line<V extends typeof person>({
  of,
  name,
  label,
  hint,
  type,
  autoComplete,
}: LineProps<V>): ReactNode {
  return (
    <FormField of={of} name={name}>
      {({ input, error }) => (
        <TextField
          {...input}
          label={label}
          hint={hint}
          error={error}
          type={type ?? 'text'}
          autoComplete={type === 'email' ? 'email' : (autoComplete ?? 'off')}
        />
      )}
    </FormField>
  )
}

function Lines<V extends typeof person>({
  of,
  name,
  label,
  hint,
  max,
}: PartProps<V> & { max: number }): ReactNode {
  return (
    <FormField of={of} name={name}>
      {({ value, error, onChange, onBlur }) => (
        <Field label={label} hint={hint} error={error} count={{ now: lengthOf(String(value), max), max }}>
          <TextArea
            value={String(value)}
            onChange={(event) => (onChange as (next: string) => void)(event.target.value)}
            onBlur={onBlur}
          />
        </Field>
      )}
    </FormField>
  )
}
