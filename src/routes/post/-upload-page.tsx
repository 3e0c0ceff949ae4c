// UploadPage: the editor with its publish button, for both upload routes.
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { newId } from '#contract/ids.ts'
import type { ShareTrouble } from '#contract/paths.ts'
import { DraftListButton } from '#src/features/publish/drafts/draft-list-button.tsx'
import { Editor } from '#src/features/publish/editor/editor.tsx'
import { EditorClosed } from '#src/features/publish/editor/editor-closed.tsx'
import { EditorSkeleton } from '#src/features/publish/editor/editor-skeleton.tsx'
import { PublishButton } from '#src/features/publish/editor/publish-button.tsx'
import { useEditor } from '#src/features/publish/editor/use-editor.ts'
import { HeadAction } from '#src/features/shell/head-action.tsx'
import { resetToTop } from '#src/lib/scroll-positions.ts'
import { useMember } from '#src/domain/session/session.ts'
import { publishText } from '#src/features/publish/text.ts'
import { Banner } from '#src/ui/states/banner.tsx'

interface UploadPageProps {
  protocol: Parameters<typeof useEditor>[1]
  draftId: string | undefined
  /** Why content that another app has shared could not be added to the draft. */
  trouble?: ShareTrouble | undefined
}

export function UploadPage(props: UploadPageProps) {
  const me = useMember()
  return me && <Editing key={me.id} ownerId={me.id} {...props} />
}

const editorPaths = { chunked: '/post/upload', tus: '/post/upload2' } as const

function Editing({ ownerId, protocol, draftId, trouble }: UploadPageProps & { ownerId: string }) {
  const result = useEditor(ownerId, protocol, draftId)
  const open = result.is === 'open' ? result : undefined
  const shownTrouble = trouble ?? (open?.hasUnreadShare ? 'failed' : undefined)
  const navigate = useNavigate()
  // Another draft replaces this one in the history, so that going back leaves the editor.
  const openDraft = (draft: { id: string; protocol: keyof typeof editorPaths }) =>
    void navigate({ to: editorPaths[draft.protocol], search: { draft: draft.id }, replace: true })
  function goHome(): void {
    resetToTop()
    void navigate({ to: '/' })
  }
  return (
    <>
      <HeadAction>
        <DraftListButton
          ownerId={ownerId}
          shownId={open?.state.draft.id}
          onOpen={openDraft}
          onBegin={() => openDraft({ id: newId(), protocol })}
        />
        <PublishButton open={open} onSubmitted={goHome} />
      </HeadAction>
      {shownTrouble && (
        <Banner look="care" icon={<CircleAlert aria-hidden size={18} />}>
          {publishText.shareTrouble[shownTrouble]}
        </Banner>
      )}
      {result.is === 'closed' && <EditorClosed why={result.why} />}
      {result.is === 'opening' && <EditorSkeleton />}
      {open && <Editor editor={open.editor} state={open.state} />}
    </>
  )
}
