// /test-upload: measures the way from this device to the server; for support.
import { createFileRoute } from '@tanstack/react-router'
import { UploadTest } from '#src/features/upload-test/upload-test.tsx'

export const Route = createFileRoute('/test-upload')({
  staticData: { access: 'member', layout: 'head-title', title: 'アップロードの確認' },
  component: UploadTest,
})
