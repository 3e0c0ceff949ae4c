// BroadcastPage: the form of a new broadcast, and those that were sent.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { aboutOf } from '#contract/mutations/mutations.ts'
import { useOpenMutations } from '#src/domain/mutations/mutations.ts'
import { ownPlansQuery } from '#src/domain/plans/own.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { BroadcastForm } from './broadcast-form.tsx'
import { BroadcastList } from './broadcast-list.tsx'
import { BroadcastSkeleton } from './broadcast-skeleton.tsx'
import { broadcastText as words } from './text.ts'
import type { Preset } from './use-broadcast-draft.ts'
import { WaitingBroadcasts } from './waiting-broadcasts.tsx'

/** Shown when something could not be read. */
export type LoadFailed = (error: Error, retry: () => Promise<unknown>) => ReactNode

interface BroadcastPageProps {
  readonly ownId: string
  readonly preset: Preset
  readonly failed: LoadFailed
}

export function BroadcastPage(props: BroadcastPageProps) {
  const waiting = useOpenMutations(aboutOf({ name: 'sendBroadcast', params: {} }))
  return (
    <div className="pb-16">
      <NewBroadcast {...props} />
      <section aria-labelledby="broadcasts" className="border-t border-line pt-5">
        <h2 id="broadcasts" className="px-4 pb-2 font-semibold rail:px-6">
          {words.list}
        </h2>
        <WaitingBroadcasts />
        <BroadcastList isQuiet={waiting.length > 0} failed={props.failed} />
      </section>
    </div>
  )
}

function NewBroadcast({ ownId, preset, failed }: BroadcastPageProps) {
  const plans = useQuery(ownPlansQuery)
  if (plans.isPending) return <BroadcastSkeleton />
  if (!plans.data) return failed(plans.error, plans.refetch)
  const running = plans.data.plans.filter((it) => it.state !== 'ended')
  if (running.length > 0)
    return <BroadcastForm ownId={ownId} plans={running} preset={preset} failed={failed} />
  return (
    <EmptyState
      drawing="letter"
      title={words.noPlans}
      text={words.noPlansText}
      action={
        <Link to="/plan" search={{}} className={buttonClass('quiet')}>
          {words.toPlans}
        </Link>
      }
    />
  )
}
