// /post/upload: the editor; what is written here travels by the first protocol: the post is added, then its video follows in 6 MiB chunks.
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
