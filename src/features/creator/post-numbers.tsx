// PostNumbersPage: the numbers of one own post, with gate and purchases.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { Numbers, OwnPost, Period } from '#contract/analytics/analytics.ts'
import { date } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { postAnalyticsQuery, rateText, readersText } from './creator.ts'
import { DaysChart } from './days-chart.tsx'
import { NumberGrid } from './number-grid.tsx'
import { PeriodChoice } from './period-choice.tsx'
import { creatorText } from './text.ts'

const words = creatorText.post

interface PostNumbersPageProps {
  postId: string
  period: Period
  onPeriod: (period: Period) => void
}

export function PostNumbersPage({ postId, period, onPeriod }: PostNumbersPageProps) {
  const { post, days, total } = useSuspenseQuery(postAnalyticsQuery(postId, period)).data
  return (
    <div className="pb-16">
      <Link
        to="/creator"
        search={{ days: period }}
        className="inline-flex min-h-11 items-center gap-1 px-3 text-sm font-semibold text-soft hover:text-ink rail:px-5"
      >
        <ChevronLeft aria-hidden size={18} />
        {words.back}
      </Link>
      <Head post={post} />
      <PeriodChoice period={period} days={days} onChange={onPeriod} />
      <section aria-label={creatorText.total}>
        <NumberGrid numbers={total} hasVideo={post.has_video} hasGate={post.type !== 1} />
      </section>
      {post.type === 3 && <Funnel numbers={total} />}
      <DaysChart days={days} />
    </div>
  )
}

function Head({ post }: { post: OwnPost }) {
  return (
    <div className="border-b border-line px-4 py-4 rail:px-6">
      <p dir="auto" className="line-clamp-3 break-words">
        {post.excerpt.trim() || creatorText.withoutText}
      </p>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-soft tabular-nums">
          {creatorText.releasedAt(date(Date.parse(post.released_at)))}
        </p>
        <Link to="/post/$id" params={{ id: post.id }} className={buttonClass('quiet', 'small')}>
          {words.open}
        </Link>
      </div>
    </div>
  )
}

/** How many of those who came to the gate have bought. */
function Funnel({ numbers: { gates, purchases } }: { numbers: Numbers }) {
  const most = Math.max(1, gates.count, purchases)
  const rate = rateText(gates, purchases)
  return (
    <section aria-labelledby="funnel" className="border-b border-line px-4 py-5 rail:px-6">
      <h2 id="funnel" className="pb-2 font-semibold">
        {words.funnel}
      </h2>
      <dl className="flex flex-col gap-3">
        <Step name={creatorText.numbers.gates} text={readersText(gates)} share={gates.count / most} />
        <Step
          name={creatorText.numbers.purchases}
          text={creatorText.times(purchases)}
          share={purchases / most}
        />
      </dl>
      <p className="mt-3 text-sm text-soft">{rate === undefined ? words.noRate : words.rate(rate)}</p>
    </section>
  )
}

function Step({ name, text, share }: { name: string; text: string; share: number }) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
      <dt className="text-sm">{name}</dt>
      <dd className="text-sm font-semibold tabular-nums">{text}</dd>
      <span aria-hidden className="col-span-2 h-3 bg-sunk">
        <span className="block h-full bg-ink" style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}

/** Shown for a post that is not an own released one. */
export function UnknownPostNumbers() {
  return (
    <EmptyState
      drawing="lost"
      title={words.unknown}
      text={words.unknownText}
      action={
        <Link to="/creator" search={{}} className={buttonClass('quiet')}>
          {words.back}
        </Link>
      }
    />
  )
}
