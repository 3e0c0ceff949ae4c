// useRefresh: reads a feed again, for the button, a pull, and ホーム.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { FeedKind } from '#contract/posts/feed-kinds.ts'
import { onReselected } from '#src/lib/reselect.ts'
import { ApiFailure } from '#src/domain/api/api.ts'
import { reloadFeed } from '#src/domain/posts/feeds.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { feedText } from './text.ts'
import { useStillShown } from '#src/lib/use-still-shown.ts'
import { toast } from '#src/ui/overlays/toast.ts'

const goUp = () => window.scrollTo({ top: 0, behavior: 'smooth' })

export function useRefresh(kind: FeedKind) {
  const client = useQueryClient()
  const stillShown = useStillShown()
  const [busy, setBusy] = useState(false)
  async function refresh(): Promise<void> {
    if (busy) return
    setBusy(true)
    try {
      await reloadFeed(client, kind)
      if (stillShown()) window.scrollTo({ top: 0, behavior: 'instant' })
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      toast(`${feedText.refreshFailed}${errorText[error.code]}`, 'error')
    } finally {
      setBusy(false)
    }
  }
  // A press scrolls to the top; a press at the top reads new posts.
  const pressed = useEffectEvent(() => (window.scrollY > 0 ? goUp() : void refresh()))
  useEffect(() => onReselected(() => pressed()), [])
  return { busy, refresh }
}
