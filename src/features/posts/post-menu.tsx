// PostMenu: further actions of a post, for its author and for others.
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Flag, Link2, Pencil, Send, Trash2, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { deletePost } from '#contract/posts/own-posts.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'
import { useNavigateIfShown } from '#src/lib/use-navigate-if-shown.ts'
import { dropPostIn } from '#src/domain/posts/post-cache.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { postText as words, sendPostText } from './text.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { AlertDialog } from '#src/ui/overlays/alert-dialog.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, type MenuItem } from '#src/ui/overlays/menu.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { copyLink } from './share.ts'
import { useCommentsToggle } from './use-comments-toggle.tsx'

// Loaded on use, since only authors need them.
const EditSheet = lazy(async () => ({ default: (await import('./edit-sheet.tsx')).EditSheet }))
const AudienceSheet = lazy(async () => ({ default: (await import('./audience-sheet.tsx')).AudienceSheet }))
const SendSheet = lazy(async () => ({ default: (await import('./send-sheet.tsx')).SendSheet }))

interface PostMenuProps {
  post: PostView
  /** Whether the viewer is the author. */
  own: boolean
  /** Further items for posts of others. */
  more?: readonly MenuItem[]
  onReport?: (() => void) | undefined
  /** Called when the post was deleted while its page is open. */
  onDeleted: () => void
}

type OpenDialog = 'send' | 'edit' | 'audience' | 'delete'

const nothing: readonly MenuItem[] = []

export function PostMenu({ post, own, more = nothing, onReport, onDeleted }: PostMenuProps) {
  const [dialog, setDialog] = useState<OpenDialog>()
  // An opened sheet stays mounted with its text.
  const [opened, setOpened] = useState<readonly OpenDialog[]>([])
  function openDialog(it: OpenDialog) {
    setDialog(it)
    setOpened((before) => [...before, it])
  }
  const me = useMember()
  const toggle = useCommentsToggle(post)
  const forAuthor: MenuItem[] =
    own && (post.released_at !== null || post.held !== undefined) ? authorItems(openDialog, toggle) : []
  const forOthers: MenuItem[] = onReport
    ? [{ is: 'action', label: text.report, icon: <Flag size={20} />, onSelect: onReport }]
    : []
  const copy: MenuItem = {
    is: 'action',
    label: words.copyLink,
    icon: <Link2 size={20} />,
    onSelect: () => void copyLink(post.id),
  }
  const close = (open: boolean) => !open && setDialog(undefined)
  return (
    <>
      <Menu
        trigger={<IconButton label={words.menu} icon={<Ellipsis size={22} />} />}
        items={[copy, ...(own ? forAuthor : [...more, ...forOthers])]}
      />
      <Suspense>
        {opened.includes('send') && (
          <SendSheet
            postId={post.id}
            mayHavePlans={me?.identified === true}
            open={dialog === 'send'}
            onOpenChange={close}
          />
        )}
        {opened.includes('edit') && <EditSheet post={post} open={dialog === 'edit'} onOpenChange={close} />}
        {opened.includes('audience') && (
          <AudienceSheet post={post} open={dialog === 'audience'} onOpenChange={close} />
        )}
      </Suspense>
      <Deletion id={post.id} open={dialog === 'delete'} onOpenChange={close} onDeleted={onDeleted} />
    </>
  )
}

function authorItems(openDialog: (it: OpenDialog) => void, toggle: MenuItem): MenuItem[] {
  return [
    { is: 'action', label: sendPostText.act, icon: <Send size={20} />, onSelect: () => openDialog('send') },
    { is: 'action', label: words.edit, icon: <Pencil size={20} />, onSelect: () => openDialog('edit') },
    {
      is: 'action',
      label: words.audience,
      icon: <Users size={20} />,
      onSelect: () => openDialog('audience'),
    },
    toggle,
    { is: 'separator' },
    {
      is: 'action',
      label: words.remove,
      icon: <Trash2 size={20} />,
      danger: true,
      onSelect: () => openDialog('delete'),
    },
  ]
}

interface DeletionProps {
  id: string
  open: boolean
  onOpenChange: (open: boolean) => void
  onDeleted: () => void
}

function Deletion({ id, open, onOpenChange, onDeleted }: DeletionProps) {
  const queryClient = useQueryClient()
  const ifShown = useNavigateIfShown()
  const [busy, setBusy] = useState(false)
  async function remove() {
    const navigate = ifShown(onDeleted)
    setBusy(true)
    try {
      await call(deletePost, { params: { post_id: id } })
      navigate()
      dropPostIn(queryClient, id)
      toast(words.removed, 'success')
    } catch (error) {
      const code = error instanceof ApiFailure ? error.code : 'internal'
      toast(code === 'sold' ? words.soldNotRemoved : errorText[code], 'error')
    } finally {
      setBusy(false)
      onOpenChange(false)
    }
  }
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title={words.removeTitle}
      description={words.removeText}
      cancel={text.cancel}
      action={{ label: words.removeAct, danger: true, busy, onSelect: () => void remove() }}
    />
  )
}
