// useCheck: this person's identity check on the device, as draft or job.
import { readIdentity, readIdentityJob } from '#device/jobs/identity.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { IdentityDraft } from '#device/database/schema.ts'

export type Sending =
  | { is: 'no' }
  | { is: 'sending' }
  | { is: 'failed'; jobId: string; code: FailureCode; fields: Readonly<Record<string, string>> }

export interface Check {
  draft: IdentityDraft | undefined
  sending: Sending
}

async function read(ownerId: string): Promise<Check> {
  const [draft, job] = await Promise.all([readIdentity(ownerId), readIdentityJob(ownerId)])
  if (!job) return { draft, sending: { is: 'no' } }
  const { stage } = job
  if (stage.is !== 'failed') return { draft, sending: { is: 'sending' } }
  return {
    draft,
    sending: { is: 'failed', jobId: job.id, code: stage.code, fields: stage.fields ?? {} },
  }
}

/** Undefined until it has been read. */
export const useCheck = (ownerId: string): Check | undefined =>
  useDeviceRead({
    key: ['identity check', ownerId],
    read: () => read(ownerId),
    isAbout: ({ store }) => store === 'identity' || store === 'jobs',
  })
