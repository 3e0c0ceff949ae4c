// EmailSent: the address of a confirmation email, with its resend button where possible.
import { resendRegistration } from '#contract/accounts/registration.ts'
import { registration } from './account-steps.ts'
import { call } from '#src/domain/api/api.ts'
import { useState } from 'react'
import { accountText } from './text.ts'
import { Resend } from './resend.tsx'

const { register } = accountText

type Waiting = NonNullable<ReturnType<typeof registration.read>>

export function EmailSent({ waiting }: { waiting: Waiting }) {
  const [sentAt, setSentAt] = useState(waiting.sentAt)
  async function resend() {
    const { registration_id, claim } = waiting
    await call(resendRegistration, { body: { registration_id, claim } })
    const now = Date.now()
    registration.save({ ...waiting, sentAt: now })
    setSentAt(now)
  }
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p>{waiting.sent ? register.sentTo : register.arrivedAt}</p>
        <p className="my-2 text-lg font-semibold">{waiting.email}</p>
        <p>{waiting.sent ? register.sentNext : register.arrivedNext}</p>
      </div>
      {waiting.sent ? (
        <Resend sentAt={sentAt} onResend={resend} />
      ) : (
        <p className="text-sm text-soft">{accountText.spam}</p>
      )}
    </div>
  )
}
