// ResetMail: requests a new code, or blocks and allows codes for this address.
import { useId, useState, type ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { requestReset } from '#contract/accounts/password.ts'
import { allowResetMail, type readResetMail, refuseResetMail } from '#contract/accounts/reset-mail.ts'
import { call } from '#src/domain/api/api.ts'
import { dateTime } from '#src/lib/format.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/fields/form-error.tsx'

const words = accountText.resetMail

interface ResetMailProps extends ReplyOf<typeof readResetMail> {
  token: string
  onRequested: (reply: ReplyOf<typeof requestReset>) => Promise<void>
}

export function ResetMail({ token, email, refused_until: loaded, onRequested }: ResetMailProps) {
  const [until, setUntil] = useState(loaded)
  const [busy, setBusy] = useState<'request' | 'choose'>()
  const [refused, setRefused] = useState<string>()
  const [message, setMessage] = useState<string>()
  async function run(what: 'request' | 'choose', work: () => Promise<void>) {
    setBusy(what)
    setRefused(undefined)
    setMessage(undefined)
    try {
      await work()
    } catch (failure) {
      setRefused(refusalOf(failure, []).whole)
    } finally {
      setBusy(undefined)
    }
  }
  const request = () =>
    run('request', async () => onRequested(await call(requestReset, { body: { email, mail_token: token } })))
  const choose = () =>
    run('choose', async () => {
      const state = await call(until === null ? refuseResetMail : allowResetMail, { body: { token } })
      setUntil(state.refused_until)
      if (state.refused_until === null) setMessage(words.allowed)
    })
  return (
    <div className="flex flex-col gap-8">
      <FormError sentence={refused} />
      <Part title={words.requestTitle} sentence={words.requestText(email)}>
        <Button
          look="seal"
          wide
          busy={busy === 'request'}
          busyLabel={text.working}
          disabled={busy === 'choose'}
          onClick={() => void request()}
        >
          {words.requestAction}
        </Button>
      </Part>
      <Part title={words.stopTitle} sentence={words.stop}>
        <output className="font-semibold empty:hidden">
          {until === null ? message : words.stopped(dateTime(Date.parse(until)))}
        </output>
        <Button
          look="quiet"
          wide
          busy={busy === 'choose'}
          busyLabel={text.working}
          disabled={busy === 'request'}
          onClick={() => void choose()}
        >
          {until === null ? words.stopAct : words.allowAct}
        </Button>
      </Part>
    </div>
  )
}

function Part({ title, sentence, children }: { title: string; sentence: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      <p className="text-soft [overflow-wrap:anywhere]">{sentence}</p>
      {children}
    </section>
  )
}
