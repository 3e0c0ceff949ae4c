// /post/upload: the editor for the first protocol, with 6 MiB chunks after the post.
import { createFileRoute } from '@tanstack/react-router'
import { UploadPage } from './-upload-page.tsx'
import { loadPlans } from './-upload-plans.ts'
import { uploadSearch, uploadStatic } from './-upload-route.ts'

export const Route = createFileRoute('/post/upload')({
  staticData: uploadStatic,
  validateSearch: uploadSearch,
  codeSplitGroupings: [['loader', 'component']],
  loader: loadPlans,
  component: Upload,
})

function Upload() {
  return <UploadPage protocol="chunked" draftId={Route.useSearch().draft} />
}
