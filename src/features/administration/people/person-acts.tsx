// PersonActs: acts of staff on a person's sign-in, with a reason from a list.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  endPersonSessions,
  type PersonPage,
  readPerson,
  removePersonPasskeys,
  removePersonSecondFactor,
} from '#contract/administration/people.ts'
import { type PersonActReason, personActReasons } from '#contract/administration/person-acts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { RecoverySheet } from './recovery-sheet.tsx'
import { peopleText as words } from './text.ts'

const endpoints = {
  end_sessions: endPersonSessions,
  remove_passkeys: removePersonPasskeys,
  remove_totp: removePersonSecondFactor,
} as const
type Act = keyof typeof endpoints

interface PersonActsProps {
  person: PersonPage
  signIn: NonNullable<PersonPage['sign_in']>
  onUnconfirmed: () => void
}

export function PersonActs({ person, signIn, onUnconfirmed }: PersonActsProps) {
  const [open, setOpen] = useState<Act>()
  const [recovering, setRecovering] = useState(false)
  const mayRecover = person.state === 'present' && signIn.recovery?.state !== 'confirmed'
  const counts: Record<Act, number> = {
    end_sessions: signIn.sessions.length,
    remove_passkeys: signIn.passkeys,
    remove_totp: signIn.second_factor ? 1 : 0,
  }
  return (
    <section aria-labelledby="acts" className="px-4 pt-8">
      <h3 id="acts" className="pb-2 font-semibold">
        {words.acts.title}
      </h3>
      <div className="flex flex-wrap gap-3">
        {(Object.keys(endpoints) as Act[]).map((it) => (
          <Button key={it} look="quiet" size="small" disabled={counts[it] === 0} onClick={() => setOpen(it)}>
            {words.acts[it].act}
          </Button>
        ))}
        <Button look="quiet" size="small" disabled={!mayRecover} onClick={() => setRecovering(true)}>
          {words.recovery.act}
        </Button>
      </div>
      {recovering && (
        <RecoverySheet person={person} onClose={() => setRecovering(false)} onUnconfirmed={onUnconfirmed} />
      )}
      {open && (
        <ActSheet
          act={open}
          person={person}
          onClose={() => setOpen(undefined)}
          onUnconfirmed={onUnconfirmed}
        />
      )}
    </section>
  )
}

interface ActSheetProps {
  act: Act
  person: PersonPage
  onClose: () => void
  onUnconfirmed: () => void
}

function ActSheet({ act, person, onClose, onUnconfirmed }: ActSheetProps) {
  const [reason, setReason] = useState<PersonActReason>()
  const [pressed, setPressed] = useState(false)
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  async function perform() {
    setPressed(true)
    if (!reason) return
    setBusy(true)
    try {
      await call(endpoints[act], { params: { user_id: person.id }, body: { reason } })
      toast(words.acts[act].done, 'success')
      onClose()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else toast(errorText[failure.code], 'error')
    } finally {
      setBusy(false)
      void client.invalidateQueries(queriesOf(readPerson))
    }
  }
  return (
    <Sheet
      open
      onOpenChange={(next) => !next && !busy && onClose()}
      title={words.acts[act].question(person.name)}
      description={words.acts[act].consequence}
      closeLabel={text.close}
      footer={
        <Button wide look="ink" busy={busy} busyLabel={text.working} onClick={() => void perform()}>
          {words.acts[act].act}
        </Button>
      }
    >
      <Field
        label={words.acts.reason}
        hint={words.acts.reasonHint}
        error={pressed && !reason ? words.acts.reasonRequired : undefined}
      >
        <Select
          placeholder={words.acts.reasonPick}
          options={personActReasons.map((value) => ({ value, label: words.reasons[value] }))}
          value={reason ?? ''}
          onChange={({ target }) => setReason(personActReasons.find((it) => it === target.value))}
        />
      </Field>
    </Sheet>
  )
}
