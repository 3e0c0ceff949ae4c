// /test-upload: measures an upload to the server, for support.
import { createFileRoute } from '@tanstack/react-router'
import { UploadTest } from '#src/features/upload-test/upload-test.tsx'
import { text } from '#src/domain/text/text.ts'

export const Route = createFileRoute('/test-upload')({
  staticData: { access: 'member', layout: 'head-title', title: text.nav.uploadTest },
  component: UploadTest,
})
