// NoticeStatus: the state of a notice, its progress, and what can be done.
import { useState } from 'react'
import type { NoticeAct, NoticeDetail } from '#contract/notices/admin-notices.ts'
import type { NoticeState } from '#contract/notices/notice-states.ts'
import { ConfirmSheet } from '#src/features/administration/confirm-sheet.tsx'
import type { Confirms } from '#src/features/administration/evidence.tsx'
import { date, dateTime } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { ProgressLine } from '#src/ui/states/progress.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { ActSheet, type SheetAct } from './act-sheet.tsx'
import { useNoticeChange } from './notices.ts'
import { StateMark } from './state-mark.tsx'
import { noticesText as words } from './text.ts'

interface NoticeStatusProps {
  notice: NoticeDetail
  /** Whether the form has changes that are not stored. */
  dirty: boolean
  Confirmation: Confirms
  onRemoved: () => void
}

/** What staff may do in each state. The button of the first one is filled. */
const possible: Record<NoticeState, readonly (NoticeAct | 'remove')[]> = {
  draft: ['publish', 'schedule', 'remove'],
  scheduled: ['publish', 'schedule', 'unschedule'],
  publishing: ['stop', 'withdraw'],
  stopped: ['resume', 'withdraw'],
  published: ['withdraw'],
  withdrawn: [],
}

/** Acts that are done at once: without a question, and without the words of the form. */
const isPlain = (act: NoticeAct | 'remove'): act is 'stop' | 'unschedule' =>
  act === 'stop' || act === 'unschedule'

const labelOf = (act: NoticeAct | 'remove', state: NoticeState): string => {
  if (act === 'remove') return words.remove
  return act === 'schedule' && state === 'scheduled' ? words.reschedule : words.acts[act]
}

export function NoticeStatus({ notice, dirty, Confirmation, onRemoved }: NoticeStatusProps) {
  const [asked, setAsked] = useState<SheetAct>()
  const [confirming, setConfirming] = useState(false)
  const { busy, act } = useNoticeChange()

  async function press(chosen: NoticeAct | 'remove') {
    if (!isPlain(chosen)) {
      if (dirty && chosen !== 'withdraw' && chosen !== 'remove') toast(words.saveFirst, 'error')
      else setAsked(chosen)
      return
    }
    const result = await act(notice.id, { act: chosen, revision: notice.revision })
    if (result.is === 'done') toast(words.done[chosen], 'success')
  }

  return (
    <section aria-label={words.status} className="flex flex-col gap-4 border-b border-line px-4 pt-2 pb-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateMark state={notice.state} />
        <span className="text-soft">{words.audiences[notice.audience.is]}</span>
        {notice.published_at !== null && (
          <span className="text-soft tabular-nums">{dateTime(Date.parse(notice.published_at))}</span>
        )}
      </div>
      <Delivery notice={notice} />
      <div className="flex flex-wrap gap-2">
        {possible[notice.state].map((it, i) => (
          <Button
            key={it}
            look={it === 'withdraw' || it === 'remove' ? 'danger' : i === 0 ? 'ink' : 'quiet'}
            size="small"
            disabled={busy}
            onClick={() => void press(it)}
          >
            {labelOf(it, notice.state)}
          </Button>
        ))}
      </div>
      {asked && (
        <ActSheet
          key={asked}
          notice={notice}
          act={asked}
          onClose={() => setAsked(undefined)}
          onUnconfirmed={() => setConfirming(true)}
          onRemoved={onRemoved}
        />
      )}
      <ConfirmSheet
        description={words.confirm}
        open={confirming}
        onOpenChange={setConfirming}
        Confirmation={Confirmation}
      />
    </section>
  )
}

/** How many people have got it and read it; nothing before it was published. */
function Delivery({
  notice: { state, total, reached, delivered, readers, readers_by_day: days },
}: {
  notice: NoticeDetail
}) {
  if (total === null) return null
  return (
    <>
      <div className="flex flex-col gap-1">
        <p className="tabular-nums">
          {words.columns.got}：
          {state === 'published' ? words.people(delivered) : words.progress(reached, total)}
        </p>
        {state !== 'withdrawn' && (
          <ProgressLine label={words.columns.got} value={total === 0 ? 100 : (reached / total) * 100} />
        )}
        <p className="tabular-nums">
          {words.columns.read}：{words.share(readers, delivered)}
        </p>
      </div>
      {days.length > 0 && (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4">
            {words.readDays}
          </summary>
          <table className="text-sm tabular-nums">
            <thead>
              <tr className="text-left text-soft">
                <th scope="col" className="pr-6 font-normal">
                  {words.day}
                </th>
                <th scope="col" className="font-normal">
                  {words.columns.read}
                </th>
              </tr>
            </thead>
            <tbody>
              {days.map((it) => (
                <tr key={it.day}>
                  <th scope="row" className="pr-6 text-left font-normal">
                    {date(Date.parse(it.day))}
                  </th>
                  <td>{words.people(it.readers)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  )
}
