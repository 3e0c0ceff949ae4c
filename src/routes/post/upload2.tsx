// /post/upload2: the editor, with the red pill in the header.
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { listOwnPlans } from '#contract/plans.ts'
import { Editor } from '#src/features/publish/editor.tsx'
import { EditorSkeleton } from '#src/features/publish/editor-skeleton.tsx'
import { PublishButton } from '#src/features/publish/publish-button.tsx'
import { useEditor } from '#src/features/publish/use-editor.ts'
import { HeadAction } from '#src/features/shell/head-action.tsx'
import { queryFor } from '#src/lib/query.ts'
import { useMember } from '#src/lib/session.ts'
import { text } from '#src/lib/text.ts'

export const Route = createFileRoute('/post/upload2')({
  staticData: { access: 'member', layout: 'head-title', title: text.nav.publish },
  // The editor works without a network; the plans follow when they can.
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ context }) => void context.queryClient.prefetchQuery(queryFor(listOwnPlans, {})),
  component: Upload,
})

function Upload() {
  const me = useMember()
  return me && <Editing key={me.id} ownerId={me.id} />
}

function Editing({ ownerId }: { ownerId: string }) {
  const open = useEditor(ownerId)
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
