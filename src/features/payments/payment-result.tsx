// PaymentResult: what became of a payment, also in a browser without a session.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { getPaymentReturn } from '#contract/payments/payments.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { RetryNote } from '#src/ui/states/retry-note.tsx'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { paymentText } from './text.ts'

const words = paymentText.result

type Result = ReplyOf<typeof getPaymentReturn>

/** Time after which the page says that the check takes long, ms. */
const LATE_MS = 20_000
/** Interval of reads before that time, and after it, ms. */
const POLL_MS = 1500
const SLOW_POLL_MS = 8000

const isOpen = (result: Result | undefined) => result?.state === 'pending' || result?.state === 'created'

export interface Returned {
  readonly paymentId: string
  readonly sessionId: string
}

interface PaymentResultProps extends Returned {
  /** Called once when the signed-in buyer has paid. */
  onPaid: (postId: string) => void
}

export function PaymentResult({ paymentId, sessionId, onPaid }: PaymentResultProps) {
  const me = useMember()
  const client = useQueryClient()
  const isLate = useLate()
  const reading = useQuery({
    ...queryFor(getPaymentReturn, {
      params: { payment_id: paymentId },
      query: { session_id: sessionId },
    }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOpen(state.data) ? (isLate ? SLOW_POLL_MS : POLL_MS) : false),
  })
  const result = reading.data
  const paid = useEffectEvent((postId: string) => {
    // Lists and the post were read before the purchase.
    void client.invalidateQueries()
    onPaid(postId)
  })
  const postId = result?.state === 'paid' && me ? result.post_id : null
  useEffect(() => {
    if (postId !== null) paid(postId)
  }, [postId])
  if (reading.error && isMissing(reading.error)) return <Unknown />
  if (reading.error && !result)
    return (
      <RetryNote label={text.retry} busyLabel={text.loading} onRetry={() => reading.refetch()}>
        {words.lateText}
      </RetryNote>
    )
  if (!result || isOpen(result)) return <Checking isLate={isLate} postId={result?.post_id ?? null} />
  return <Final result={result} isSignedIn={me !== undefined} />
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

function Checking({ isLate, postId }: { isLate: boolean; postId: string | null }) {
  return (
    <>
      <Progress isLate={isLate} />
      {postId !== null && (
        <p className="mt-4 text-center text-sm text-soft">
          {words.cancelled}
          <Link
            to="/payment"
            search={{ post: postId }}
            replace
            className="ml-1 inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {words.toOrder}
          </Link>
        </p>
      )}
    </>
  )
}

function Progress({ isLate }: { isLate: boolean }) {
  return (
    <output className="flex flex-col items-center gap-4 py-4 text-center">
      <Spinner />
      <span>
        <span className="block font-semibold">{isLate ? words.late : words.checking}</span>
        <span className="block text-soft">{isLate ? words.lateText : words.checkingText}</span>
      </span>
    </output>
  )
}

/** What the page says about a payment that is no longer open. */
function textsOf(state: Result['state'], isSignedIn: boolean): { title: string; lines: string } {
  switch (state) {
    case 'paid':
      return { title: words.paid, lines: isSignedIn ? words.paidText : words.paidElsewhere }
    case 'refused':
      return { title: words.refused, lines: words.refusedText }
    case 'expired':
    case 'created':
    case 'pending':
      return { title: words.expired, lines: words.expiredText }
    case 'refunded':
    case 'disputed':
      return { title: words.refunded, lines: words.refundedText }
    default:
      return state satisfies never
  }
}

function Final({ result, isSignedIn }: { result: Result; isSignedIn: boolean }) {
  const { title, lines } = textsOf(result.state, isSignedIn)
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p>{lines}</p>
      {result.has_surplus && <p className="text-care-text">{words.surplus}</p>}
      <Next result={result} isSignedIn={isSignedIn} />
    </div>
  )
}

function Next({ result: { state, post_id: postId }, isSignedIn }: { result: Result; isSignedIn: boolean }) {
  const wide = buttonClass('seal', 'normal', true)
  if (postId === null) return <HomeLink />
  if (state === 'refused' || state === 'expired')
    return (
      <Link to="/payment" search={{ post: postId }} replace className={wide}>
        {state === 'refused' ? words.again : paymentText.order.title}
      </Link>
    )
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
