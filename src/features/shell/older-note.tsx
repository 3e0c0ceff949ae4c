// OlderNote: the age of a list or page that could not be read again.
import { isAway } from '#src/domain/offline/cached-reads.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { offlineText as words } from './failures/offline-text.ts'
import { When } from '#src/ui/text/when.tsx'

interface OlderNoteProps {
  reading: { data: unknown; dataUpdatedAt: number; error: Error | null }
}

/** Renders nothing for data of this visit, unless the server is away. */
export function OlderNote({ reading: { data, dataUpdatedAt, error } }: OlderNoteProps) {
  const older = isAway(error) || dataUpdatedAt < performance.timeOrigin
  if (data === undefined || dataUpdatedAt === 0 || !older) return null
  return (
    <p className="border-b border-line px-4 py-1.5 text-xs text-soft rail:px-6">
      {words.readAt}{' '}
      <When
        at={new Date(dataUpdatedAt).toISOString()}
        format={(at, now) => relative(Date.parse(at), now)}
        whole={dateTime(dataUpdatedAt)}
      />
    </p>
  )
}
