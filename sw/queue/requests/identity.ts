// Makes an identity check of uploads that are on the server.
import * as v from 'valibot'
import { submitIdentity, type IdentityBody } from '#contract/identity/identity.ts'
import { urlOf } from '#device/jobs/file-row.ts'
import type { IdentityJob } from '#device/jobs/job-rows.ts'
import { Ended } from './outcome.ts'
import type { IdentityApi, Outcome, QueueStore } from '#sw/queue/ports.ts'
import { type ApiCaller, call } from './request.ts'

export interface IdentityDeps extends ApiCaller {
  store: QueueStore
}

/** The server reads, hashes and seals every byte before it answers. */
const DEADLINE_MS = 120_000

const answered = v.object({ data: v.object({ id: v.string() }) })

/** Creates the API of checks. Its request is safe to repeat: the job's key is the idempotency key. */
export function createIdentityApi(deps: IdentityDeps): Pick<IdentityApi, 'submitCheck'> {
  return {
    async submitCheck(job, signal): Promise<Outcome<{ id: string }>> {
      let body: IdentityBody
      try {
        body = await bodyOf(deps.store, job, signal)
      } catch (error) {
        if (error instanceof Ended) return error.end
        throw error
      }
      const options = { headers: { 'Idempotency-Key': job.key }, body, deadline: DEADLINE_MS }
      const end = await call(deps, job.ownerId, submitIdentity, options, signal)
      if (end.is !== 'ok') return end
      const parsed = v.safeParse(answered, end.value.json)
      // A reply that cannot be read counts as none: the same request is repeated.
      return parsed.success ? { is: 'ok', value: { id: parsed.output.data.id } } : { is: 'lost' }
    },
  }
}

async function bodyOf(store: QueueStore, job: IdentityJob, signal: AbortSignal): Promise<IdentityBody> {
  const { form, files } = job
  const named = async (mediaId: string) => {
    const digest = await store.digest(mediaId, signal)
    if (!digest) throw new Ended({ is: 'refused', code: 'bytes_missing' })
    const file = files.find((it) => it.id === mediaId)
    return { upload_id: (file && urlOf(file))?.split('/').at(-1) ?? mediaId, digest }
  }
  return {
    prompts_id: form.promptsId,
    document_kind: form.documentKind,
    front: await named(form.front),
    ...(form.back ? { back: await named(form.back) } : {}),
    live: await named(form.live),
  }
}
