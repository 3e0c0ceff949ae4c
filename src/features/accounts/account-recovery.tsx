// AccountRecovery: continues or stops the recovery of sign-in that a link names.
import { useState } from 'react'
import { confirmAccountRecovery, stopAccountRecovery } from '#contract/accounts/recovery.ts'
import { call } from '#src/domain/api/api.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'
import { recoveryText } from './recovery-text.ts'

export interface RecoveryLink {
  readonly is: 'confirm' | 'stop'
  readonly token: string
}

/** Opening the link changes nothing: programs that examine emails open links too. */
export function AccountRecovery({ is, token }: RecoveryLink) {
  const words = recoveryText[is]
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<string>()
  const [refused, setRefused] = useState<string>()
  async function press() {
    setBusy(true)
    setRefused(undefined)
    try {
      setDone(await send(is, token))
    } catch (failure) {
      setRefused(refusalOf(failure, []).whole)
    } finally {
      setBusy(false)
    }
  }
  if (done !== undefined) return <output className="block">{done}</output>
  return (
    <div className="flex flex-col gap-4">
      <FormError sentence={refused} />
      <p>{words.text}</p>
      <Button
        wide
        look={is === 'stop' ? 'seal' : 'ink'}
        busy={busy}
        busyLabel={text.working}
        onClick={() => void press()}
      >
        {words.act}
      </Button>
    </div>
  )
}

async function send(is: RecoveryLink['is'], token: string): Promise<string> {
  const body = { token }
  if (is === 'confirm')
    return recoveryText.confirm.done(
      dateTime(Date.parse((await call(confirmAccountRecovery, { body })).due_at)),
    )
  await call(stopAccountRecovery, { body })
  return recoveryText.stop.done
}
