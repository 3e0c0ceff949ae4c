// BroadcastList: own broadcasts with their progress, counts and stop.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type BroadcastView, stopBroadcast } from '#contract/messages/broadcasts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { broadcastsQuery } from '#src/domain/messages/broadcast-queries.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { linkClass } from '#src/ui/text/link-class.ts'
import { When } from '#src/ui/text/when.tsx'
import type { LoadFailed } from './broadcast-page.tsx'
import { BroadcastSkeleton } from './broadcast-skeleton.tsx'
import { broadcastText as words } from './text.ts'

interface BroadcastListProps {
  /** Whether the place of an empty list stays empty, since something else is shown there. */
  readonly isQuiet: boolean
  readonly failed: LoadFailed
}

export function BroadcastList({ isQuiet, failed }: BroadcastListProps) {
  const pages = useInfiniteQuery({ ...broadcastsQuery, staleTime: 0 })
  if (pages.isPending) return <BroadcastSkeleton />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const broadcasts = pages.data.pages.flatMap((page) => page.broadcasts)
  if (broadcasts.length === 0)
    return isQuiet ? null : <EmptyState drawing="letter" title={words.empty} text={words.emptyText} />
  return (
    <>
      <ul className="border-t border-line">
        {broadcasts.map((it) => (
          <BroadcastRow key={it.id} broadcast={it} />
        ))}
      </ul>
      <p className="px-4 pt-3 text-sm text-soft rail:px-6">{words.skippedHint}</p>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

const looks = { delivering: 'info', stopped: 'care', done: 'good' } as const

function BroadcastRow({ broadcast: it }: { broadcast: BroadcastView }) {
  const at = Date.parse(it.created_at)
  const names = it.plans.map((plan) => plan.name).join('、')
  const handled = it.delivered + it.skipped
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-4 rail:px-6">
      <p className="flex items-center gap-2 text-sm text-soft">
        <Badge look={looks[it.state]}>{words.states[it.state]}</Badge>
        <span className="min-w-0 flex-1 truncate">{words.of(names === '' ? words.lostPlan : names)}</span>
        <span className="shrink-0 text-xs">
          <When at={it.created_at} format={(_, now) => relative(at, now)} whole={dateTime(at)} />
        </span>
      </p>
      {it.content !== '' && (
        <p dir="auto" className="line-clamp-4 break-words whitespace-pre-wrap [unicode-bidi:plaintext]">
          {it.content}
        </p>
      )}
      <Attached broadcast={it} />
      {it.state === 'delivering' && (
        <ProgressLine
          label={words.progress}
          value={it.recipients === 0 ? 0 : (handled / it.recipients) * 100}
          look="ink"
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Counts broadcast={it} />
        {it.state === 'delivering' && <Stop broadcast={it} />}
      </div>
    </li>
  )
}

function Attached({ broadcast: { post } }: { broadcast: BroadcastView }) {
  if (post === null) return null
  if (!('id' in post)) return <p className="text-sm text-soft">{words.postLost}</p>
  return (
    <p className="text-sm">
      <Link to="/post/$id" params={{ id: post.id }} className={linkClass}>
        {words.withPost}
      </Link>
    </p>
  )
}

function Counts({ broadcast: it }: { broadcast: BroadcastView }) {
  const { counts } = words
  const all: [string, number | null][] = [
    [counts.recipients, it.recipients],
    [counts.delivered, it.delivered],
    [counts.skipped, it.skipped],
    [counts.read, it.read],
  ]
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm tabular-nums">
      {all.map(
        ([label, count]) =>
          count !== null && (
            <div key={label} className="flex gap-1">
              <dt className="text-soft">{label}</dt>
              <dd className="font-semibold">{words.people(count)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** Characters of a broadcast in the name of its button. */
const NAMED = 20

function Stop({ broadcast }: { broadcast: BroadcastView }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  async function stop() {
    setAsking(false)
    setBusy(true)
    try {
      const view = await call(stopBroadcast, { params: { broadcast_id: broadcast.id } })
      toast(view.state === 'done' ? words.alreadyDone : words.stopped, 'success')
      await client.invalidateQueries(broadcastsQuery)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      toast(`${words.notStopped}${errorText[error.code]}`, 'error')
    } finally {
      setBusy(false)
    }
  }
  const named = Array.from(broadcast.content).slice(0, NAMED).join('')
  return (
    <>
      <Button
        look="quiet"
        size="small"
        busy={isBusy}
        busyLabel={text.working}
        aria-label={words.stopOf(named)}
        onClick={() => setAsking(true)}
      >
        {words.stop}
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={words.stopTitle}
        description={words.stopText}
        cancel={text.cancel}
        action={{ label: words.stopAct, danger: true, onSelect: () => void stop() }}
      />
    </>
  )
}
