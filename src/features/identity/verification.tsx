// Verification: verified and missing facts of a person, and the state of their identity check.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleDashed, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { IdentityState } from '#contract/identity/identity.ts'
import { rejectSentences } from '#contract/identity/reject-sentences.ts'
import { dateTime } from '#src/lib/format.ts'
import { identityRefusal, identityText } from '#src/domain/identity/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { identityQuery } from './identity-query.ts'
import { useCheck, type Check } from './use-check.ts'

const words = identityText

export function Verification({ ownerId }: { ownerId: string }) {
  const { data } = useSuspenseQuery(identityQuery)
  const check = useCheck(ownerId)
  const sending = check?.sending ?? { is: 'no' as const }
  const status = statusOf(data.state, sending)
  return (
    <div className="mx-auto w-full max-w-120 px-4 py-6">
      <p className="text-read">{words.intro}</p>
      <ul className="mt-5 border-b border-line">
        <Row
          name={words.rows.email}
          detail={data.email.address}
          status={data.email.verified ? 'done' : 'missing'}
        />
        <Row name={words.rows.age} status={data.age.verified ? 'done' : 'missing'} />
        <Row name={words.rows.identity} status={status} />
      </ul>
      <section aria-labelledby="check-state" className="mt-6">
        <h2 id="check-state" className="sr-only">
          {words.stateLabel}
        </h2>
        {sending.is === 'no' ? <CheckState state={data.state} /> : <Submitted sending={sending} />}
        {sending.is === 'no' && data.legal_name?.given === false && <NameWanted state={data.state} />}
        {sending.is === 'no' && (
          <Start state={data.state} mayBegin={data.age.verified} begun={check?.draft !== undefined} />
        )}
      </section>
    </div>
  )
}

type Status = 'done' | 'waiting' | 'missing'

function statusOf(state: IdentityState, sending: Check['sending']): Status {
  if (state.is === 'approved') return 'done'
  const waits = state.is === 'submitted' || state.is === 'in_review' || sending.is === 'sending'
  return waits ? 'waiting' : 'missing'
}

const looks: Record<Status, { icon: ReactNode; word: string; tone: string }> = {
  done: { icon: <CircleCheck aria-hidden size={20} />, word: words.verified, tone: 'text-good-text' },
  waiting: { icon: <Clock aria-hidden size={20} />, word: words.waiting, tone: 'text-care-text' },
  missing: { icon: <CircleDashed aria-hidden size={20} />, word: words.missing, tone: 'text-soft' },
}

function Row({ name, detail, status }: { name: string; detail?: string; status: Status }) {
  const { icon, word, tone } = looks[status]
  return (
    <li className="flex min-h-14 items-center gap-3 border-t border-line py-2">
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{name}</span>
        {detail && <span className="block truncate text-sm text-soft">{detail}</span>}
      </span>
      <span className={`inline-flex shrink-0 items-center gap-1.5 text-sm ${tone}`}>
        {icon}
        {word}
      </span>
    </li>
  )
}

function CheckState({ state }: { state: IdentityState }) {
  switch (state.is) {
    case 'none':
      return <p>{words.state.none}</p>
    case 'submitted':
    case 'in_review':
      return (
        <>
          <p>{words.state[state.is]}</p>
          <Fact name={words.document} value={words.documents[state.check.document_kind]} />
          <Fact name={words.submittedAt} value={dateTime(Date.parse(state.check.submitted_at))} />
        </>
      )
    case 'approved':
      return (
        <>
          <p>{words.state.approved}</p>
          <Fact name={words.approvedAt} value={dateTime(Date.parse(state.at))} />
        </>
      )
    case 'rejected':
      return (
        <>
          <p className="font-semibold">{words.state.rejected}</p>
          <p className="mt-2">{rejectSentences[state.reason]}</p>
          {state.note !== '' && (
            <div className="mt-3 rounded-field bg-sunk px-4 py-3">
              <p className="text-sm text-soft">{words.reviewNote}</p>
              <p className="mt-1 whitespace-pre-wrap">{state.note}</p>
            </div>
          )}
        </>
      )
    default:
      return state satisfies never
  }
}

/** For a check that was submitted before names were asked. */
function NameWanted({ state }: { state: IdentityState }) {
  if (state.is !== 'submitted' && state.is !== 'in_review') return null
  return (
    <div className="mt-5 rounded-field bg-sunk px-4 py-3">
      <p>{words.name.wanted}</p>
      <Link to="/user/info" className={`${buttonClass('ink', 'normal', true)} mt-3`}>
        {words.name.give}
      </Link>
    </div>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <p className="mt-2 text-sm">
      <span className="text-soft">{name}　</span>
      <span className="tabular-nums">{value}</span>
    </p>
  )
}

function Submitted({ sending }: { sending: Exclude<Check['sending'], { is: 'no' }> }) {
  if (sending.is === 'sending') return <output className="block">{words.state.sending}</output>
  return (
    <>
      <p className="font-semibold">{words.state.failed}</p>
      <p className="mt-2">{identityRefusal(sending.code, sending.fields)}</p>
      <Link to="/user/verify-identity" className={`${buttonClass('seal', 'normal', true)} mt-5`}>
        {words.goOn}
      </Link>
    </>
  )
}

function Start({ state, mayBegin, begun }: { state: IdentityState; mayBegin: boolean; begun: boolean }) {
  if (state.is !== 'none' && state.is !== 'rejected') return null
  if (!mayBegin) return <p className="mt-3">{words.underAge}</p>
  return (
    <Link to="/user/verify-identity" className={`${buttonClass('seal', 'normal', true)} mt-5`}>
      {begun ? words.goOn : state.is === 'rejected' ? words.again : words.start}
    </Link>
  )
}
