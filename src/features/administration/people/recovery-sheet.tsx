// RecoverySheet: staff begin the recovery of a person who cannot sign in.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beginAccountRecovery, type PersonPage, readPerson } from '#contract/administration/people.ts'
import { type RecoveryProof, recoveryProofs } from '#contract/administration/person-acts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { queriesOf } from '#src/domain/queries/query.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { Field } from '#src/ui/fields/field.tsx'
import { Select } from '#src/ui/fields/select.tsx'
import { Sheet } from '#src/ui/overlays/sheet.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { peopleText } from './text.ts'

const words = peopleText.recovery

interface RecoverySheetProps {
  person: PersonPage
  onClose: () => void
  onUnconfirmed: () => void
}

export function RecoverySheet({ person, onClose, onUnconfirmed }: RecoverySheetProps) {
  const [proof, setProof] = useState<RecoveryProof>()
  const [pressed, setPressed] = useState(false)
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  // Without an approved check there is nothing to compare a document with.
  const proofs = recoveryProofs.filter((it) => it === 'account_email' || person.account?.identified_at)
  async function begin() {
    setPressed(true)
    if (!proof) return
    setBusy(true)
    try {
      await call(beginAccountRecovery, { params: { user_id: person.id }, body: { proof } })
      toast(words.done, 'success')
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
      title={words.title(person.name)}
      description={words.text}
      closeLabel={text.close}
      footer={
        <Button wide look="ink" busy={busy} busyLabel={text.working} onClick={() => void begin()}>
          {words.act}
        </Button>
      }
    >
      <Field label={words.proof} error={pressed && !proof ? words.proofRequired : undefined}>
        <Select
          placeholder={words.proofPick}
          options={proofs.map((value) => ({ value, label: words.proofs[value] }))}
          value={proof ?? ''}
          onChange={({ target }) => setProof(recoveryProofs.find((it) => it === target.value))}
        />
      </Field>
    </Sheet>
  )
}
