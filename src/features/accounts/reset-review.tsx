// ResetReview: ended sessions, and remaining passkeys and sessions, after a password reset.
import { KeyRound, MonitorSmartphone } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import {
  endSessionsAfterReset,
  removePasskeyAfterReset,
  type reviewReset,
} from '#contract/accounts/reset-review.ts'
import type { SessionView } from '#contract/accounts/sessions.ts'
import { call } from '#src/domain/api/api.ts'
import { date, dateTime } from '#src/lib/format.ts'
import { refusalOf } from '#src/domain/api/refusal.ts'
import { accountText } from './text.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { Button } from '#src/ui/button.tsx'
import { toast } from '#src/ui/overlays/toast.ts'

const words = accountText.review

type Left = ReplyOf<typeof reviewReset>
type ReviewAction =
  | { is: 'remove'; passkey: Left['passkeys'][number] }
  | { is: 'end'; session: SessionView }
  | { is: 'end-all' }

interface ResetReviewProps {
  token: string
  ended: readonly SessionView[]
  /** Undefined when the reset token no longer shows it. */
  left: Left | undefined
}

export function ResetReview({ token, ended, left: loaded }: ResetReviewProps) {
  const [left, setLeft] = useState(loaded)
  const [pending, setPending] = useState<ReviewAction>()
  const [busy, setBusy] = useState(false)
  async function run(action: ReviewAction) {
    setBusy(true)
    try {
      setLeft(await send(token, action))
      toast(action.is === 'remove' ? words.removed : words.endDone, 'success')
    } catch (failure) {
      toast(refusalOf(failure, []).whole ?? text.errorTitle, 'error')
    } finally {
      setBusy(false)
      setPending(undefined)
    }
  }
  return (
    <>
      <Part title={words.ended} none={words.noneEnded}>
        {ended.map((it) => (
          <Row key={it.id} icon={<MonitorSmartphone aria-hidden size={20} />} {...factsOf(it)} />
        ))}
      </Part>
      {left ? (
        <Remaining left={left} onChoose={setPending} />
      ) : (
        <p className="mt-8 text-soft">{words.over}</p>
      )}
      <Question
        action={pending}
        busy={busy}
        onClose={() => setPending(undefined)}
        onSelect={(it) => void run(it)}
      />
    </>
  )
}

function Remaining({ left, onChoose }: { left: Left; onChoose: (action: ReviewAction) => void }) {
  return (
    <>
      <Part title={words.passkeys} none={words.noPasskeys} hint={words.passkeysHint}>
        {left.passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            icon={<KeyRound aria-hidden size={20} />}
            name={passkey.name}
            fact={words.created(date(Date.parse(passkey.created_at)))}
            action={{ label: words.remove, name: words.removeOf(passkey.name) }}
            onAction={() => onChoose({ is: 'remove', passkey })}
          />
        ))}
      </Part>
      <Part title={words.sessions} none={words.noSessions}>
        {left.sessions.map((session) => (
          <Row
            key={session.id}
            icon={<MonitorSmartphone aria-hidden size={20} />}
            {...factsOf(session)}
            action={{ label: words.end, name: words.endOf(nameOf(session)) }}
            onAction={() => onChoose({ is: 'end', session })}
          />
        ))}
      </Part>
      {left.sessions.length > 1 && (
        <Button look="quiet" size="small" className="mt-3" onClick={() => onChoose({ is: 'end-all' })}>
          {words.endAll}
        </Button>
      )}
    </>
  )
}

const nameOf = ({ device }: SessionView) => device.name || words.unknown
const factsOf = (session: SessionView) => ({
  name: nameOf(session),
  fact: `${session.place ?? session.ip}・${words.lastUse(dateTime(Date.parse(session.last_used_at)))}`,
})

function send(token: string, action: ReviewAction): Promise<Left> {
  const proof = { password_reset_token: token }
  switch (action.is) {
    case 'remove':
      return call(removePasskeyAfterReset, { body: { ...proof, passkey_id: action.passkey.id } })
    case 'end':
      return call(endSessionsAfterReset, { body: { ...proof, session_id: action.session.id } })
    case 'end-all':
      return call(endSessionsAfterReset, { body: proof })
    default:
      return action satisfies never
  }
}

interface QuestionProps {
  action: ReviewAction | undefined
  busy: boolean
  onClose: () => void
  onSelect: (action: ReviewAction) => void
}

function Question({ action, busy, onClose, onSelect }: QuestionProps) {
  const removing = action?.is === 'remove' ? action.passkey : undefined
  const title = action?.is === 'end-all' ? words.endAllTitle : words.endTitle
  return (
    <AlertDialog
      open={action !== undefined}
      onOpenChange={(open) => !open && !busy && onClose()}
      title={removing ? words.removeTitle : title}
      description={removing ? words.removeText(removing.name) : words.endText}
      cancel={text.cancel}
      action={{
        label: removing ? words.removeAct : words.endAct,
        danger: true,
        busy,
        onSelect: () => action && onSelect(action),
      }}
    />
  )
}

interface PartProps {
  title: string
  hint?: string
  /** Shown in place of an empty list. */
  none: string
  children: ReactNode[]
}

function Part({ title, hint, none, children }: PartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className="pb-1 text-sm font-semibold text-soft">
        {title}
      </h2>
      {children.length === 0 ? (
        <p>{none}</p>
      ) : (
        <>
          {hint !== undefined && <p className="text-sm text-soft">{hint}</p>}
          <ul>{children}</ul>
        </>
      )}
    </section>
  )
}

interface RowProps {
  icon: ReactNode
  name: string
  fact: string
  action?: { label: string; name: string }
  onAction?: () => void
}

function Row({ icon, name, fact, action, onAction }: RowProps) {
  return (
    <li className="flex items-center gap-3 border-t border-line py-3 first:border-t-0">
      <span className="shrink-0 text-soft">{icon}</span>
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className="font-semibold">{name}</p>
        <p className="text-sm text-soft">{fact}</p>
      </div>
      {action && (
        <Button look="danger" size="small" aria-label={action.name} onClick={onAction}>
          {action.label}
        </Button>
      )}
    </li>
  )
}
