// /post/upload2: the editor; what is written here travels by the resumable protocol.
import { createFileRoute } from '@tanstack/react-router'
import { listOwnPlans } from '#contract/plans.ts'
import { queryFor } from '#src/lib/query.ts'
import { text } from '#src/lib/text.ts'
import { UploadPage } from './-upload-page.tsx'
import { uploadSearch } from './-upload-search.ts'

export const Route = createFileRoute('/post/upload2')({
  staticData: { access: 'member', layout: 'head-title', title: text.nav.publish },
  validateSearch: uploadSearch,
  // The editor works without a network; the plans follow when they can.
  codeSplitGroupings: [['loader', 'component']],
  loader: ({ context }) => void context.queryClient.prefetchQuery(queryFor(listOwnPlans, {})),
  component: Upload,
})

function Upload() {
  return <UploadPage protocol="tus" draftId={Route.useSearch().draft} />
}
