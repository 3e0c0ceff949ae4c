// Makes an identity check of the uploads that stand on the server.
import * as v from 'valibot'
import { submitIdentity, type IdentityBody } from '#contract/identity/identity.ts'
import type { IdentityJob } from '#device/database/schema.ts'
import { Ended } from './outcome.ts'
import type { Outcome, PublishApi, QueueStore } from '#sw/queue/ports.ts'
import { call, type Caller } from './request.ts'

export interface IdentityDeps extends Caller {
  store: QueueStore
  /** Base of the API, absolute. */
  api: string
}

/** The server reads, hashes and seals every byte before it answers. */
const DEADLINE_MS = 120_000

const answered = v.object({ data: v.object({ id: v.string() }) })

/** Sending the check. Safe to repeat: the job's key is the idempotency key. */
export function makeIdentity(deps: IdentityDeps): Pick<PublishApi, 'submitCheck'> {
  return {
    async submitCheck(job, signal): Promise<Outcome<{ id: string }>> {
      let body: IdentityBody
      try {
        body = await bodyOf(deps.store, job, signal)
      } catch (error) {
        if (error instanceof Ended) return error.end
        throw error
      }
      const headers = { 'Idempotency-Key': job.key, 'Content-Type': 'application/json' }
      const init = { method: submitIdentity.method, headers, body: JSON.stringify(body) }
      const asked = { url: deps.api + submitIdentity.path, init, deadline: DEADLINE_MS }
      const end = await call(deps, job.ownerId, submitIdentity.reply, asked, signal)
      if (end.is !== 'ok') return end
      const parsed = v.safeParse(answered, end.value.json)
      // An answer nobody can read is none; the same question brings it again.
      return parsed.success ? { is: 'ok', value: { id: parsed.output.data.id } } : { is: 'lost' }
    },
  }
}

async function bodyOf(store: QueueStore, job: IdentityJob, signal: AbortSignal): Promise<IdentityBody> {
  const { form, facts } = job
  const named = async (mediaId: string) => {
    const digest = await store.digest(mediaId, signal)
    if (!digest) throw new Ended({ is: 'refused', code: 'bytes_missing' })
    const url = facts.media.find((it) => it.id === mediaId)?.url
    return { upload_id: url?.split('/').at(-1) ?? mediaId, digest }
  }
  return {
    prompts_id: form.promptsId,
    document_kind: form.documentKind,
    front: await named(form.front),
    ...(form.back ? { back: await named(form.back) } : {}),
    live: await named(form.live),
  }
}
