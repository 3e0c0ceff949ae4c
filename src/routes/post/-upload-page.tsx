// UploadPage: the editor with the red pill in the header, the same at both addresses.
import { useNavigate } from '@tanstack/react-router'
import { Editor } from '#src/features/publish/editor.tsx'
import { EditorSkeleton } from '#src/features/publish/editor-skeleton.tsx'
import { PublishButton } from '#src/features/publish/publish-button.tsx'
import { useEditor } from '#src/features/publish/use-editor.ts'
import { HeadAction } from '#src/features/shell/head-action.tsx'
import { useMember } from '#src/lib/session.ts'

interface UploadPageProps {
  protocol: Parameters<typeof useEditor>[1]
  draftId: string | undefined
}

export function UploadPage(props: UploadPageProps) {
  const me = useMember()
  return me && <Editing key={me.id} ownerId={me.id} {...props} />
}

function Editing({ ownerId, protocol, draftId }: UploadPageProps & { ownerId: string }) {
  const open = useEditor(ownerId, protocol, draftId)
  const navigate = useNavigate()
  return (
    <>
      <HeadAction>
        <PublishButton open={open} onSubmitted={() => void navigate({ to: '/' })} />
      </HeadAction>
      {open ? <Editor {...open} /> : <EditorSkeleton />}
    </>
  )
}
