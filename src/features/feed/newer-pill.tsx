// NewerPill: a button that shows new posts.
import { useQuery } from '@tanstack/react-query'
import { ArrowUp } from 'lucide-react'
import type { FeedKind } from '#contract/posts/feed-kinds.ts'
import { newerQuery } from '#src/domain/posts/feeds.ts'
import { feedText } from './text.ts'
import { Button } from '#src/ui/button.tsx'

interface NewerPillProps {
  kind: FeedKind
  head: string | null
  /** When the newest page was read, ms since 1970. */
  readAt: number
  busy: boolean
  onPress: () => void
}

export function NewerPill({ kind, head, readAt, busy, onPress }: NewerPillProps) {
  const { data } = useQuery(newerQuery(kind, head, readAt))
  return (
    <output className="pointer-events-none sticky top-[calc(var(--head)+var(--tab-row)+12px)] z-10 flex h-0 justify-center rail:top-15">
      {data.count > 0 && (
        <Button
          look="ink"
          size="small"
          busy={busy}
          busyLabel={feedText.refreshing}
          icon={<ArrowUp aria-hidden size={16} />}
          onClick={onPress}
          className="pointer-events-auto shadow-float"
        >
          {feedText.newer}
        </Button>
      )}
    </output>
  )
}
