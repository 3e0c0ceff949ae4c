// CaseContent: the reported content as it was and as it is.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isStrip } from '#contract/kinds/long-pictures.ts'
import type { CaseView } from '#contract/moderation/cases.ts'
import { getReportedMessages, type ReportedMessage } from '#contract/posts/admin-reports.ts'
import type { MediaView } from '#contract/posts/media.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { isShownLong, sidesOf } from '#src/domain/media/long-views.ts'
import { useMotion, useStill } from '#src/domain/media/motion.ts'
import { MotionButton } from '#src/ui/pictures/motion-button.tsx'
import { LongPicture, ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { text } from '#src/domain/text/text.ts'
import { dateTime } from '#src/lib/format.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { cx } from '#src/ui/cx.ts'
import { useMarkRead } from './cases.ts'
import { casesText as words } from './text.ts'

interface CaseContentProps {
  found: CaseView
  onUnconfirmed: () => void
}

export function CaseContent({ found, onUnconfirmed }: CaseContentProps) {
  if (found.kind === 'message') return <Messages found={found} onUnconfirmed={onUnconfirmed} />
  const reported = found.reported_text ?? Object.values(found.reported).join('\n')
  // What was held, or opened by staff, without a report has no copy.
  const isReported = found.history.length > 0
  const isSame = isReported && reported === found.current.text
  return (
    <section aria-labelledby="content" className="flex flex-col gap-5">
      {isReported && (
        <div>
          <h3 id="content" className="mb-2 font-semibold">
            {words.reported}
          </h3>
          <Quote text={reported} />
        </div>
      )}
      <div>
        <div className="mb-2 flex flex-wrap items-center gap-2">
          <h3 id={isReported ? undefined : 'content'} className="font-semibold">
            {words.current}
          </h3>
          <Badge look={found.current.state === 'present' ? 'plain' : 'care'}>
            {words.currentStates[found.current.state]}
          </Badge>
          {found.current.is_age_limited && <Badge>{words.ageLimited}</Badge>}
        </div>
        {isSame ? <p className="text-sm text-soft">{words.same}</p> : <Quote text={found.current.text} />}
        {found.current.media.length > 0 && (
          <ul className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-3">
            {found.current.media.map((it) => (
              <li
                key={it.id}
                className={cx(
                  'relative grid min-h-32 place-items-center overflow-hidden rounded-media bg-sunk',
                  // Read whole and in a readable size; scrolled in its own box.
                  isReadyLong(it) && 'col-span-full',
                  isReadyLong(it) && (isTall(it) ? 'h-[75dvh]' : 'h-64'),
                )}
              >
                <Media it={it} />
              </li>
            ))}
          </ul>
        )}
        <PageLink found={found} />
      </div>
    </section>
  )
}

function Quote({ text: quoted }: { text: string }) {
  if (quoted === '') return <p className="text-sm text-soft">—</p>
  return (
    <blockquote
      dir="auto"
      className="max-h-96 overflow-y-auto rounded-media border border-line bg-sunk px-4 py-3 break-words whitespace-pre-wrap"
    >
      {quoted}
    </blockquote>
  )
}

const isTall = (it: MediaView): boolean => isStrip(sidesOf(it))

/** Whether it is a ready strip or panorama, of which a tile would show a small part. */
const isReadyLong = (it: MediaView): boolean =>
  it.kind === 'image' && it.sources.length > 0 && isShownLong(it)

function Media({ it }: { it: MediaView }) {
  const still = useStill()
  const motion = useMotion(it.kind === 'image' ? [it] : [])
  if (it.kind === 'video')
    return it.src === null ? (
      <p className="px-3 text-sm text-soft">{words.unready}</p>
    ) : (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- users' videos have no captions
      <video
        controls
        preload="none"
        playsInline
        src={it.src}
        poster={it.poster ?? undefined}
        aria-label={it.alt}
        className="aspect-video w-full bg-black object-contain"
      />
    )
  const largest = it.sources.at(-1)
  if (!largest) return <p className="px-3 text-sm text-soft">{words.unready}</p>
  const alt = it.alt === '' ? words.kinds.post : it.alt
  if (isReadyLong(it)) return <LongPicture image={it} alt={alt} />
  return (
    <>
      <a href={largest.src} target="_blank" rel="noreferrer" className="block size-full">
        <ShownPicture src={still(it) ?? largest.src} alt={alt} />
      </a>
      <MotionButton motion={motion} look="over-small" className="absolute bottom-0 left-0" />
    </>
  )
}

function PageLink({ found }: { found: CaseView }) {
  const link = 'mt-3 inline-flex min-h-11 items-center underline underline-offset-4'
  if (found.current.state !== 'present') return null
  const postId = found.kind === 'post' ? found.target_id : found.current.post_id
  if (postId !== null)
    return (
      <Link to="/post/$id" params={{ id: postId }} className={link}>
        {words.openPost}
      </Link>
    )
  return (
    <Link to="/profile/$id" params={{ id: found.target_id }} className={link}>
      {words.openProfile}
    </Link>
  )
}

/** Messages of the newest report that has any, which are read on request: each reading is recorded. */
function Messages({ found, onUnconfirmed }: CaseContentProps) {
  const { messages, busy, problem, read } = useReportedMessages(found, onUnconfirmed)
  return (
    <section aria-labelledby="content">
      <h3 id="content" className="mb-2 font-semibold">
        {words.reported}
      </h3>
      {messages ? (
        <ol className="flex flex-col gap-2">
          {messages.map((it) => (
            <Message key={it.seq} it={it} />
          ))}
        </ol>
      ) : (
        <>
          <p className="mb-3 text-sm text-soft">{problem ?? words.reportedMessage}</p>
          <Button look="quiet" busy={busy} busyLabel={text.working} onClick={() => void read()}>
            {words.readMessages}
          </Button>
        </>
      )}
    </section>
  )
}

function Message({ it }: { it: ReportedMessage }) {
  return (
    <li
      className="rounded-media border border-line px-4 py-2 data-reported:border-care"
      data-reported={it.is_reported ? '' : undefined}
    >
      <p className="flex flex-wrap items-center gap-2 text-sm text-soft tabular-nums">
        {it.by_reporter ? words.byReporter : words.byOwner}・{dateTime(Date.parse(it.sent_at))}
        {it.is_reported && <Badge look="care">{words.isReported}</Badge>}
      </p>
      <p dir="auto" className="break-words whitespace-pre-wrap">
        {it.content ?? words.unsent}
      </p>
    </li>
  )
}

function useReportedMessages(found: CaseView, onUnconfirmed: () => void) {
  const markRead = useMarkRead(found.id)
  const reportId = found.messages?.report_id ?? found.history[0]?.id
  const [state, setState] = useState<{ messages?: readonly ReportedMessage[]; problem?: string }>({})
  const [busy, setBusy] = useState(false)
  async function read() {
    if (reportId === undefined) return
    setBusy(true)
    try {
      const { messages } = await call(getReportedMessages, { params: { report_id: reportId } })
      setState({ messages })
      markRead()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      if (failure.code === 'validation_required') onUnconfirmed()
      else setState({ problem: errorText[failure.code] })
    } finally {
      setBusy(false)
    }
  }
  return { ...state, busy, read }
}
