// EmailValue: the masked address of a person; admins show the whole one by a press.
import { useState } from 'react'
import { type PersonPage, readPersonEmail } from '#contract/administration/people.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { peopleText as words } from './text.ts'

interface EmailValueProps {
  person: PersonPage
  masked: string
  canShow: boolean
  onUnconfirmed: () => void
}

export function EmailValue({ person, masked, canShow, onUnconfirmed }: EmailValueProps) {
  const [whole, setWhole] = useState<string>()
  const [busy, setBusy] = useState(false)
  async function show() {
    setBusy(true)
    try {
      setWhole((await call(readPersonEmail, { params: { user_id: person.id } })).email)
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else toast(errorText[failure.code], 'error')
    } finally {
      setBusy(false)
    }
  }
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <span className="break-all">{whole ?? masked}</span>
      {canShow && whole === undefined && (
        <Button look="quiet" size="pill" busy={busy} busyLabel={text.working} onClick={() => void show()}>
          {words.showEmail}
        </Button>
      )}
    </span>
  )
}
