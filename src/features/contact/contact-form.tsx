// ContactForm: the fields of one kind of inquiry; what is typed stays on the device.
import { useState } from 'react'
import { newId } from '#contract/ids.ts'
import {
  claimFields,
  contactFields,
  type InquiryBody,
  intimateFields,
  sendInquiry,
} from '#contract/inquiries/inquiries.ts'
import { groundNames } from '#contract/inquiries/names.ts'
import {
  type InquiryKind,
  type IntimateGround,
  intimateGrounds,
  MAX_INQUIRY_RIGHT,
  MAX_INQUIRY_TEXT,
} from '#contract/inquiries/states.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { FormField, useSchemaForm } from '#src/domain/forms/form.tsx'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Check } from '#src/ui/fields/check.tsx'
import { Form } from '#src/ui/fields/form.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { Line, Lines, person } from './form-parts.tsx'
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
      <Fields kind={kind} onSent={setSentTo} />
    </section>
  )
}

function Fields({ kind, onSent }: { kind: InquiryKind; onSent: (email: string) => void }) {
  if (kind === 'contact') return <Contact onSent={onSent} />
  return kind === 'intimate' ? <IntimateRequest onSent={onSent} /> : <Claim kind={kind} onSent={onSent} />
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
  kind: Exclude<InquiryKind, 'contact' | 'intimate'>
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
          <Check
            label={words.declared}
            checked={value}
            error={error && words.undeclared}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      </FormField>
    </Form>
  )
}

const untold = { ...person, url: '', ground: 'unwanted' as IntimateGround, declared: false }

function IntimateRequest({ onSent }: { onSent: (email: string) => void }) {
  const [id] = useState(newId)
  const form = useSchemaForm({
    schema: intimateFields,
    defaults: untold,
    note: 'contact.intimate',
    forVisitors: true,
    submit: (values) => send({ kind: 'intimate', id, ...values }, onSent),
  })
  return (
    <Form {...form.shell} action={words.send} busyLabel={text.working}>
      <FormField of={form} name="ground">
        {({ value, onChange }) => (
          <RadioCards
            label={words.ground}
            value={value}
            onChange={onChange}
            cards={intimateGrounds.map((ground) => ({ value: ground, label: groundNames[ground] }))}
          />
        )}
      </FormField>
      <Line of={form} name="url" label={words.postUrl} />
      <Lines of={form} name="text" label={words.shown} hint={words.shownHint} max={MAX_INQUIRY_TEXT} />
      <Line of={form} name="name" label={words.ownName} autoComplete="name" />
      <Line of={form} name="email" label={words.email} hint={words.emailHint} type="email" />
      <FormField of={form} name="declared">
        {({ value, error, onChange, onBlur }) => (
          <Check
            label={words.declaredShown}
            checked={value}
            error={error && words.undeclared}
            onChange={onChange}
            onBlur={onBlur}
          />
        )}
      </FormField>
    </Form>
  )
}
