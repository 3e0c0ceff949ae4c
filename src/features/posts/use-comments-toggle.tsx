// useCommentsToggle: the menu item that closes or opens the comments of an own post.
import { useQueryClient } from '@tanstack/react-query'
import { MessageCircle, MessageCircleOff } from 'lucide-react'
import { changePost } from '#contract/posts/own-posts.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { changePostIn } from '#src/domain/posts/post-cache.ts'
import type { MenuItem } from '#src/ui/overlays/menu.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { postText as words } from './text.ts'

export function useCommentsToggle({ id, comments_closed: isClosed = false }: PostView): MenuItem {
  const queryClient = useQueryClient()
  async function toggle(): Promise<void> {
    try {
      const body = { comments_closed: !isClosed }
      const post = await call(changePost, { params: { post_id: id }, body })
      changePostIn(queryClient, id, () => post)
      toast(isClosed ? words.commentsOpened : words.commentsClosed, 'success')
    } catch (error) {
      const code = error instanceof ApiFailure ? error.code : 'internal'
      toast(`${words.notSaved}${errorText[code]}`, 'error')
    }
  }
  return {
    is: 'action',
    label: isClosed ? words.openComments : words.closeComments,
    icon: isClosed ? <MessageCircle size={20} /> : <MessageCircleOff size={20} />,
    onSelect: () => void toggle(),
  }
}
