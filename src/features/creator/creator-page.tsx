// CreatorPage: sums, views by day and top posts of one's own posts.
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Store, Users } from 'lucide-react'
import type { Period, PostNumbers } from '#contract/analytics/analytics.ts'
import { date, number } from '#src/lib/format.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { analyticsQuery, readersText } from './creator.ts'
import { DaysChart } from './days-chart.tsx'
import { NumberGrid } from './number-grid.tsx'
import { PeriodChoice } from './period-choice.tsx'
import { creatorText as words } from './text.ts'

const moreClass = 'flex min-h-14 items-center gap-3 border-b border-line px-4 py-2.5 hover:bg-sunk rail:px-6'

interface CreatorPageProps {
  period: Period
  onPeriod: (period: Period) => void
}

export function CreatorPage({ period, onPeriod }: CreatorPageProps) {
  const { data } = useSuspenseQuery(analyticsQuery(period))
  if (!data.has_posts) return <Nothing />
  return (
    <div className="pb-16">
      <PeriodChoice period={period} days={data.days} onChange={onPeriod} />
      <section aria-label={words.total}>
        <NumberGrid numbers={data.total} />
      </section>
      <DaysChart days={data.days} />
      <TopPosts posts={data.top} period={period} />
      <Link to="/creator/members" search={{}} className={moreClass}>
        <Users aria-hidden size={22} className="shrink-0 text-soft" />
        <span className="min-w-0 flex-1">
          {words.toMembers}
          <span className="block text-sm text-soft">{words.membersHint}</span>
        </span>
        <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
      </Link>
      <Link to="/settings/seller" className={moreClass}>
        <Store aria-hidden size={22} className="shrink-0 text-soft" />
        <span className="min-w-0 flex-1">
          {words.toSeller}
          <span className="block text-sm text-soft">{words.sellerHint}</span>
        </span>
        <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
      </Link>
    </div>
  )
}

function Nothing() {
  return (
    <EmptyState
      drawing="frame"
      title={words.none}
      text={words.noneText}
      action={
        <Link to="/post/upload2" className={buttonClass('seal')}>
          {words.write}
        </Link>
      }
    />
  )
}

function TopPosts({ posts, period }: { posts: readonly PostNumbers[]; period: Period }) {
  return (
    <section aria-labelledby="top">
      <h2 id="top" className="px-4 pt-5 pb-2 font-semibold rail:px-6">
        {words.top}
      </h2>
      {posts.length === 0 ? (
        <p className="border-b border-line px-4 pb-5 text-soft rail:px-6">{words.noTop}</p>
      ) : (
        <ol className="border-t border-line">
          {posts.map((it) => (
            <TopPost key={it.post.id} numbers={it} period={period} />
          ))}
        </ol>
      )}
    </section>
  )
}

function TopPost({ numbers: it, period }: { numbers: PostNumbers; period: Period }) {
  const { post } = it
  const parts = [
    `${words.numbers.views} ${readersText(it.views)}`,
    `${words.numbers.likes} ${number(it.likes)}`,
    `${words.numbers.comments} ${number(it.comments)}`,
    ...(post.type === 3 ? [`${words.numbers.purchases} ${words.times(it.purchases)}`] : []),
  ]
  return (
    <li className="relative flex items-center gap-3 border-b border-line px-4 py-3 hover:bg-sunk rail:px-6">
      <div className="min-w-0 flex-1">
        <Link
          to="/creator"
          search={{ post: post.id, days: period }}
          dir="auto"
          className="line-clamp-2 break-words after:absolute after:inset-0"
        >
          {post.excerpt.trim() || words.withoutText}
        </Link>
        <p className="mt-1 text-sm text-soft tabular-nums">{parts.join('・')}</p>
        <p className="text-sm text-soft tabular-nums">
          {words.releasedAt(date(Date.parse(post.released_at)))}
        </p>
      </div>
      <ChevronRight aria-hidden size={18} className="shrink-0 text-soft" />
    </li>
  )
}
