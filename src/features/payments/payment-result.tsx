// PaymentResult: what became of a payment, also in a browser without a session.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { readPaymentReturn } from '#contract/payments/payments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { call, isMissing } from '#src/domain/api/api.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { date, yen } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { RetryNote } from '#src/ui/states/retry-note.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { begunFrom } from './begun-from.ts'
import { JoinedNext } from './joined-next.tsx'
import { resultText as words } from './result-text.ts'
import { surplusReasonText } from '#src/domain/text/surplus-text.ts'
import { orderText } from './text.ts'

type Result = ReplyOf<typeof readPaymentReturn>

/** Time after which the page says that the check takes long, ms. */
const LATE_MS = 20_000
/** Interval of reads before that time, and after it, ms. */
const POLL_MS = 1500
const SLOW_POLL_MS = 8000

const KEY = 'payment-return'

const isOpen = (result: Result | undefined) => result?.state === 'pending' || result?.state === 'created'

export interface Returned {
  readonly paymentId: string
  readonly sessionId: string
}

interface PaymentResultProps extends Returned {
  /** Called once when the signed-in buyer has paid and there is a post to open. */
  onPaid: (postId: string, kind: Result['kind']) => void
}

export function PaymentResult({ paymentId, sessionId, onPaid }: PaymentResultProps) {
  const me = useMember()
  const client = useQueryClient()
  const isLate = useLate()
  const reading = useQuery({
    queryKey: [KEY, paymentId, sessionId] as const,
    queryFn: () =>
      call(readPaymentReturn, { params: { payment_id: paymentId }, body: { session_id: sessionId } }),
    // A call repeats only what is read by GET.
    retry: (failures, error) => failures < 1 && !isMissing(error),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOpen(state.data) ? (isLate ? SLOW_POLL_MS : POLL_MS) : false),
  })
  const result = reading.data
  // The post that was bought, or at whose gate joining the plan began.
  const postId = result?.post_id ?? begunFrom(paymentId) ?? null
  const paid = useEffectEvent(({ kind }: Result) => {
    // Lists and posts were read before the payment. The state of the payment is final.
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY })
    if (postId !== null) onPaid(postId, kind)
  })
  const bought = result?.state === 'paid' && me ? result : null
  useEffect(() => {
    if (bought) paid(bought)
  }, [bought])
  if (reading.error && isMissing(reading.error)) return <Unknown />
  if (reading.error && !result)
    return (
      <RetryNote label={text.retry} busyLabel={text.loading} onRetry={() => reading.refetch()}>
        {words.kinds.post.lateText}
      </RetryNote>
    )
  // A charge that paid for nothing is a result, also where another one may still pay.
  if (!result || (isOpen(result) && !result.has_surplus))
    return <Checking isLate={isLate} result={result} postId={postId} />
  return <Final result={result} postId={postId} isSignedIn={me !== undefined} />
}

/** Whether the page has been open for `LATE_MS`. */
function useLate(): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return late
}

interface CheckingProps {
  isLate: boolean
  result: Result | undefined
  postId: string | null
}

function Checking({ isLate, result, postId }: CheckingProps) {
  const order = result && orderSearch(result, postId)
  return (
    <>
      <Progress isLate={isLate} lateText={lateTextOf(result)} />
      {order && (
        <p className="mt-4 text-center text-sm text-soft">
          {words.cancelled}
          <Link
            to="/payment"
            search={order}
            replace
            className="ml-1 inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {isCard(result) ? words.card.toOrder : words.toOrder}
          </Link>
        </p>
      )}
    </>
  )
}

const isCard = (result: Pick<Result, 'card_of'> | undefined) => (result?.card_of ?? null) !== null
const lateTextOf = (result: Result | undefined) =>
  isCard(result) ? words.card.lateText : words.kinds[result?.kind ?? 'post'].lateText

function Progress({ isLate, lateText }: { isLate: boolean; lateText: string }) {
  return (
    <output className="flex flex-col items-center gap-4 py-4 text-center">
      <Spinner />
      <span>
        <span className="block font-semibold">{isLate ? words.late : words.checking}</span>
        <span className="block text-soft">{isLate ? lateText : words.checkingText}</span>
      </span>
    </output>
  )
}

interface FinalProps {
  result: Result
  postId: string | null
  isSignedIn: boolean
}

function Final({ result, postId, isSignedIn }: FinalProps) {
  const { title, lines } = textsOf(result, isSignedIn)
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p>{lines}</p>
      <Surplus result={result} />
      <Next result={result} postId={postId} isSignedIn={isSignedIn} />
    </div>
  )
}

/** Charges beside a purchase that another one has paid for. */
function Surplus({ result: { state, surplus } }: { result: Result }) {
  if (!wasPaid(state)) return null
  return surplus.map((it) => (
    <p key={it.charged_at} className="text-care-text">
      {words.surplusBeside(yen(it.amount), surplusReasonText(it.reason))}
      {returnText(it)}
    </p>
  ))
}

const returnText = ({ returned_at: at }: Result['surplus'][number]) =>
  at === null ? words.surplusReturning : words.surplusReturned(date(Date.parse(at)))
const done: ReadonlySet<Result['state']> = new Set(['paid', 'refunded', 'disputed', 'registered'])
/** Whether what it was for was done, whatever other charges there were. */
const wasPaid = (state: Result['state']) => done.has(state)

const cardWords = {
  ...words.kinds.plan,
  paid: words.card.paid,
  paidText: words.card.paidText,
  paidElsewhere: words.card.paidText,
}

/** What the page says about a payment that is no longer open, or whose charge paid for nothing. */
function textsOf(result: Result, isSignedIn: boolean): { title: string; lines: string } {
  const { state, kind, surplus } = result
  const its = isCard(result) ? cardWords : words.kinds[kind]
  const [charge] = surplus
  if (charge && !wasPaid(state)) {
    const { surplus: title, surplusText } = isCard(result) ? words.card : words
    return {
      title,
      lines: surplusText(yen(charge.amount), surplusReasonText(charge.reason)) + returnText(charge),
    }
  }
  switch (state) {
    case 'paid':
      return { title: its.paid, lines: isSignedIn ? its.paidText : its.paidElsewhere }
    case 'refused':
      return { title: words.refused, lines: words.refusedText }
    case 'expired':
    case 'created':
    case 'pending':
      return { title: words.expired, lines: isCard(result) ? words.card.expiredText : words.expiredText }
    case 'registered':
      return { title: words.card.registered, lines: words.card.registeredText }
    case 'refunded':
    case 'disputed':
      return { title: words.refunded, lines: its.refundedText }
    default:
      return state satisfies never
  }
}

/** The address of the final confirmation; undefined when what was ordered is erased. */
function orderSearch({ kind, post_id: post, plan_id: plan, card_of: card }: Result, postId: string | null) {
  if (card !== null) return { card }
  if (kind === 'post') return post === null ? undefined : { post }
  if (plan === null) return undefined
  return { plan, ...(postId !== null && { from: postId }) }
}

function Next({ result, postId, isSignedIn }: FinalProps) {
  const wide = buttonClass('seal', 'normal', true)
  const { state, kind, plan_id: planId } = result
  if (result.has_surplus && !wasPaid(state))
    return (
      <Link to="/purchase-history" replace className={wide}>
        {isSignedIn ? words.toHistory : words.signIn}
      </Link>
    )
  if (state === 'refused' || state === 'expired') {
    const order = orderSearch(result, postId)
    if (!order) return <HomeLink />
    return (
      <Link to="/payment" search={order} replace className={wide}>
        {state === 'refused' ? words.again : isCard(result) ? words.card.again : orderText.title}
      </Link>
    )
  }
  if (isCard(result) || (kind === 'plan' && postId === null))
    return !isCard(result) && isSignedIn && state === 'paid' && planId !== null ? (
      <JoinedNext planId={planId} />
    ) : (
      <Link to="/plan" search={{ tab: 'joined' }} replace className={wide}>
        {isSignedIn ? words.toJoined : words.signIn}
      </Link>
    )
  if (postId === null) return <HomeLink />
  return (
    <Link to="/post/$id" params={{ id: postId }} replace className={wide}>
      {isSignedIn ? words.toPost : words.signIn}
    </Link>
  )
}

export function Unknown(): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{words.unknown}</h2>
      <p>{words.unknownText}</p>
      <HomeLink />
    </div>
  )
}

function HomeLink() {
  return (
    <Link to="/" className={buttonClass('quiet', 'normal', true)}>
      {words.home}
    </Link>
  )
}
