// /post/upload2: the editor for the resumable protocol.
import { createFileRoute } from '@tanstack/react-router'
import { UploadPage } from './-upload-page.tsx'
import { loadPlans } from './-upload-plans.ts'
import { uploadSearch, uploadStatic } from './-upload-route.ts'

export const Route = createFileRoute('/post/upload2')({
  staticData: uploadStatic,
  validateSearch: uploadSearch,
  codeSplitGroupings: [['loader', 'component']],
  loader: loadPlans,
  component: Upload,
})

function Upload() {
  const { draft, share } = Route.useSearch()
  return <UploadPage protocol="tus" draftId={draft} trouble={share} />
}
