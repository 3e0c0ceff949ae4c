// useAuthorActions: menu items about the author of a post.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ban, VolumeX } from 'lucide-react'
import { requestBlock } from '#src/domain/people/moderation-dialog.ts'
import { useNavigateIfShown } from '#src/lib/use-navigate-if-shown.ts'
import { setMuted } from '#src/domain/people/relations.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import type { MenuItem } from '#src/ui/overlays/menu.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { showFailure } from './profiles.ts'

export function useAuthorActions(author: { id: string; name: string }): MenuItem[] {
  const client = useQueryClient()
  const navigate = useNavigate()
  const ifShown = useNavigateIfShown()
  async function mute() {
    await setMuted(client, author.id, true)
    toast(words.muted(author.name), 'success')
  }
  // The post is hidden after a block; the author's profile offers to undo it.
  const openProfile = () => void navigate({ to: '/profile/$id', params: { id: author.id }, replace: true })
  return [
    {
      is: 'action',
      label: words.mute(author.name),
      icon: <VolumeX aria-hidden size={20} />,
      onSelect: () => void mute().catch(showFailure),
    },
    {
      is: 'action',
      label: words.block(author.name),
      icon: <Ban aria-hidden size={20} />,
      danger: true,
      onSelect: () => requestBlock(author, ifShown(openProfile)),
    },
  ]
}
