// OwnPlanPage: one plan of the creator, with its members and posts.
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Megaphone, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { MessageLink } from '#src/domain/people/message-link.tsx'
import { planWords } from '#src/domain/plans/text.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { date } from '#src/lib/format.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { Skeleton } from '#src/ui/states/skeleton.tsx'
import { Prose } from '#src/ui/text/prose.tsx'
import { PlanFigures } from './own-plans.tsx'
import { largestOf } from './plan-picture.tsx'
import { membersQuery, ownPlansQuery } from './plans.ts'
import { planText } from './text.ts'

const words = planText.detail

interface OwnPlanPageProps {
  id: string
  /** The plan's posts. */
  posts: ReactNode
  /** Shown when its members could not be read. */
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
}

export function OwnPlanPage({ id, posts, failed }: OwnPlanPageProps) {
  const { plans } = useSuspenseQuery(ownPlansQuery).data
  const plan = plans.find((it) => it.id === id)
  if (!plan) return <UnknownPlan />
  return (
    <>
      <Link
        to="/plan"
        search={{}}
        className="inline-flex min-h-11 items-center gap-1 px-3 text-sm font-semibold text-soft hover:text-ink rail:px-5"
      >
        <ChevronLeft aria-hidden size={18} />
        {words.back}
      </Link>
      <Head plan={plan} />
      <section aria-labelledby="members" className="border-b border-line py-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 rail:px-6">
          <h2 id="members" className="font-semibold">
            {words.members}
          </h2>
          {plan.state !== 'ended' && plan.member_count > 0 && (
            <Link
              to="/chat-messages/broadcast"
              search={{ plan: id }}
              className={buttonClass('quiet', 'small')}
            >
              <Megaphone aria-hidden size={16} className="mr-1.5" />
              {words.broadcast}
            </Link>
          )}
        </div>
        <Members planId={id} failed={failed} />
      </section>
      <section aria-labelledby="plan-posts" className="py-4">
        <h2 id="plan-posts" className="px-4 pb-2 font-semibold rail:px-6">
          {words.posts}
        </h2>
        {posts}
      </section>
    </>
  )
}

export function UnknownPlan() {
  return (
    <EmptyState
      drawing="lost"
      title={words.unknown}
      text={words.unknownText}
      action={
        <Link to="/plan" search={{}} className={buttonClass('quiet')}>
          {words.back}
        </Link>
      }
    />
  )
}

function Head({ plan }: { plan: OwnPlan }) {
  const src = largestOf(plan.picture)
  return (
    <div className="border-b border-line pb-5">
      {src !== null && (
        <div className="aspect-video w-full bg-sunk">
          <ShownPicture src={src} alt="" />
        </div>
      )}
      <div className="px-4 pt-4 rail:px-6">
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 flex-1 text-lg font-semibold break-words">{plan.name}</h2>
          <Link to="/plan/edit" search={{ id: plan.id }} className={buttonClass('quiet', 'small')}>
            <Pencil aria-hidden size={16} className="mr-1.5" />
            {words.edit}
          </Link>
        </div>
        <PlanFigures plan={plan} />
        {plan.ends_at !== null && plan.state === 'closing' && (
          <p className="mt-2 text-sm text-care-text">{planWords.endsOn(plan.ends_at)}</p>
        )}
        {plan.description === '' ? (
          <p className="mt-3 text-soft">{words.noDescription}</p>
        ) : (
          <Prose text={plan.description} className="mt-3 text-read" />
        )}
        <Rules plan={plan} />
      </div>
    </div>
  )
}

/** What a new member can read. */
function Rules({ plan }: { plan: OwnPlan }) {
  return (
    <ul className="mt-3 list-disc pl-5 text-sm text-soft">
      <li>{plan.back_numbers === 'all' ? planWords.allBackNumbers : planWords.sinceJoining}</li>
      {plan.opens_cheaper && <li>{planWords.opensCheaper}</li>}
    </ul>
  )
}

function Members({ planId, failed }: { planId: string; failed: OwnPlanPageProps['failed'] }) {
  const pages = useInfiniteQuery(membersQuery(planId))
  if (pages.isPending) return <Skeleton className="mx-4 mt-3 h-12 rail:mx-6" />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const members = pages.data.pages.flatMap((page) => page.members)
  if (members.length === 0 && !pages.hasNextPage)
    return (
      <p className="px-4 pt-2 text-soft rail:px-6">
        {words.noMembers}
        <span className="block text-sm">{words.noMembersText}</span>
      </p>
    )
  return (
    <>
      <ul>
        {members.map(({ person, joined_at }) => (
          <li
            key={person.id}
            className="relative flex min-h-15 items-center gap-3 px-4 py-2 hover:bg-sunk rail:px-6"
          >
            <Avatar name={person.name} src={person.avatar_url} size={40} />
            <Link
              to="/profile/$id"
              params={{ id: person.id }}
              className="min-w-0 flex-1 truncate font-semibold after:absolute after:inset-0"
            >
              {person.name}
            </Link>
            <span className="shrink-0 text-sm text-soft tabular-nums">
              {words.since(date(Date.parse(joined_at)))}
            </span>
            <MessageLink person={person} />
          </li>
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}
