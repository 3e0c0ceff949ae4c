// FailedMediaPart: files that could not be processed, with their owners.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FailedMedia } from '#contract/administration/machine.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { text } from '#src/domain/text/text.ts'
import { dateTime, megabytes } from '#src/lib/format.ts'
import { Button } from '#src/ui/button.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import type { Failed } from '#src/features/administration/check-list.tsx'
import { Waiting } from '#src/features/administration/waiting.tsx'
import { failedMediaQuery } from './machine.ts'
import { Part } from '#src/features/administration/part.tsx'
import { machineText } from './text.ts'

interface FailedMediaProps {
  failed: Failed
  /** The id of the file whose retry is sent. */
  busy: string | undefined
  onRetry: (id: string) => void
}

export function FailedMediaPart({ failed, busy, onRetry }: FailedMediaProps) {
  const words = machineText.media
  const pages = useInfiniteQuery(failedMediaQuery)
  if (pages.isPending) return <Waiting />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const media = pages.data.pages.flatMap((page) => page.media)
  return (
    <Part title={words.title} lead={words.lead}>
      {media.length === 0 ? (
        <p className="text-soft">{words.none}</p>
      ) : (
        <ul className="border-t border-line">
          {media.map((it) => (
            <Row key={it.id} media={it} busy={busy} onRetry={onRetry} />
          ))}
        </ul>
      )}
      <LoadMore {...loadMore(pages, words.more)} />
    </Part>
  )
}

interface RowProps extends Pick<FailedMediaProps, 'busy' | 'onRetry'> {
  media: FailedMedia
}

function Row({ media, busy, onRetry }: RowProps) {
  const words = machineText.media
  const kind = words.kinds[media.kind]
  const facts = [
    media.at !== null && dateTime(Date.parse(media.at)),
    words.attempts(media.attempts),
    media.bytes !== null && megabytes(media.bytes),
  ]
  return (
    <li data-row tabIndex={-1} className="flex items-start gap-3 border-b border-line py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3">
          <span className="font-semibold">{kind}</span>
          <Link
            to="/administration"
            search={{ show: 'people', person: media.owner.id }}
            className="inline-flex min-h-11 items-center underline underline-offset-4"
          >
            {media.owner.name}
          </Link>
        </p>
        <p className="text-sm text-soft tabular-nums">{facts.filter(Boolean).join('・')}</p>
        <p className="mt-1 text-sm">{words.reasons[media.reason] ?? words.otherReason(media.reason)}</p>
        <p className="font-mono text-xs break-all text-soft">{media.id}</p>
      </div>
      <Button
        data-open
        look="quiet"
        size="small"
        busy={busy === media.id}
        busyLabel={text.working}
        aria-label={words.retryOf(kind, media.owner.name)}
        onClick={() => onRetry(media.id)}
      >
        {words.retry}
      </Button>
    </li>
  )
}
