// This person's check as the device has it: what is under making, and whether it is on its way. Read at every change.
import { useEffect, useState } from 'react'
import { onChange } from '#device/database/changes.ts'
import { readIdentity, readIdentityJob } from '#device/jobs/identity.ts'
import type { FailureCode, IdentityDraft } from '#device/database/schema.ts'

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
  const { ending } = job.facts
  if (ending.is !== 'failed') return { draft, sending: { is: 'sending' } }
  return {
    draft,
    sending: { is: 'failed', jobId: job.id, code: ending.code, fields: ending.fields ?? {} },
  }
}

/** Undefined until it has been read. */
export function useCheck(ownerId: string): Check | undefined {
  const [check, setCheck] = useState<Check>()
  useEffect(() => {
    let turn = 0
    const look = () => {
      const mine = ++turn
      void read(ownerId).then(
        (next) => mine === turn && setCheck(next),
        (error: unknown) => console.error(error),
      )
    }
    look()
    const deaf = onChange((change) => {
      if (change.store === 'identity' || change.store === 'jobs') look()
    })
    return () => {
      turn = -1
      deaf()
    }
  }, [ownerId])
  return check
}
