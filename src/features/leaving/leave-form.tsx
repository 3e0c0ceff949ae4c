// LeaveForm: the reason and the confirmation of an account's deletion.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import {
  requestDeletion,
  LEAVING_MS,
  type LeavingReason,
  leavingReasons,
  MAX_LEAVING_NOTE,
} from '#contract/accounts/leaving.ts'
import { lengthOf } from '#contract/text/text-rule.ts'
import { call } from '#src/domain/api/api.ts'
import { dateTime, yen } from '#src/lib/format.ts'
import { useTypedFields } from '#src/domain/drafts/form-note.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { leavingText } from './text.ts'
import { textSentence } from '#src/domain/forms/problem-text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { Field, TextArea } from '#src/ui/fields/field.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { RadioCards } from '#src/ui/fields/radio-cards.tsx'
import { isValidated } from './password-validation.ts'
import { lacksAccount } from './earnings.tsx'
import { deletionQuery } from './queries.ts'

const words = leavingText

interface LeaveFormProps {
  name: string
  /** Opens the password validation, which returns here. */
  onValidate: () => void
  onRequested: () => Promise<void>
}

export function LeaveForm({ name, onValidate, onRequested }: LeaveFormProps) {
  // The text stays during the password validation on another page.
  const { values, change, clear } = useTypedFields('leaving', { reason: 'unsaid', note: '' })
  const { note } = values
  const reason = leavingReasons.find((it) => it === values.reason) ?? 'unsaid'
  const actions = useActions({ reason, note }, onValidate, async () => {
    clear()
    await onRequested()
  })
  const title = useId()
  const length = lengthOf(note.trim(), MAX_LEAVING_NOTE)
  const wrong =
    length > MAX_LEAVING_NOTE
      ? words.noteTooLong(MAX_LEAVING_NOTE)
      : textSentence(note.trim(), MAX_LEAVING_NOTE)
  return (
    <section aria-labelledby={title} className="flex flex-col gap-5">
      <h2 id={title} className="font-semibold">
        {words.reasonTitle}
      </h2>
      <RadioCards
        label={words.reasonTitle}
        value={reason}
        onChange={(next) => change({ reason: next })}
        cards={leavingReasons.map((value) => ({ value, label: words.reasons[value] }))}
      />
      <Field
        label={words.note}
        optional={words.noteOptional}
        hint={words.noteHint}
        error={wrong}
        count={{ now: length, max: MAX_LEAVING_NOTE }}
      >
        <TextArea value={note} onChange={(event) => change({ note: event.target.value })} />
      </Field>
      <FormError sentence={actions.refused} />
      <Button
        look="ink"
        wide
        busy={actions.busy}
        busyLabel={text.working}
        disabled={wrong !== undefined}
        onClick={actions.proceed}
      >
        {words.goOn}
      </Button>
      <p className="-mt-3 text-center text-sm text-soft">{words.goOnHint}</p>
      <Question name={name} actions={actions} />
    </section>
  )
}

function Question({ name, actions }: { name: string; actions: ReturnType<typeof useActions> }) {
  // An estimate until the server sets the day.
  const [at] = useState(() => dateTime(Date.now() + LEAVING_MS))
  const { memberships = [], members = 0, earnings = null } = useQuery(deletionQuery).data ?? {}
  const renewed = memberships.filter((it) => it.renews).length
  return (
    <AlertDialog
      open={actions.confirming}
      onOpenChange={(open) => !open && actions.stop()}
      title={words.confirm.title}
      description={[
        words.confirm.text(name, at),
        ...(renewed > 0 ? [words.confirm.plans(renewed)] : []),
        ...(members > 0 ? [words.confirm.members(members)] : []),
        ...(earnings && lacksAccount(earnings) ? [words.confirm.noAccount(yen(earnings.balance))] : []),
      ].join('')}
      cancel={words.confirm.stop}
      action={{ label: words.confirm.action, danger: true, busy: actions.busy, onSelect: actions.leave }}
    />
  )
}

function useActions(
  body: { reason: LeavingReason; note: string },
  onValidate: () => void,
  onRequested: () => Promise<void>,
) {
  const client = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const withBusy = (work: () => Promise<void>) => () => {
    setBusy(true)
    setRefused(undefined)
    void work()
      .catch((failure: unknown) => {
        setConfirming(false)
        setRefused(refusalOf(failure, []).whole)
      })
      .finally(() => setBusy(false))
  }
  return {
    confirming,
    busy,
    refused,
    stop: () => setConfirming(false),
    proceed: withBusy(async () => {
      if (!(await isValidated())) return onValidate()
      // The question says which charges it stops.
      await client.fetchQuery(deletionQuery)
      setConfirming(true)
    }),
    leave: withBusy(async () => {
      await call(requestDeletion, { body })
      setConfirming(false)
      await onRequested()
    }),
  }
}
