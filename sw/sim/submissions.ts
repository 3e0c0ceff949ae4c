// Checks that what is sent is what the submitting tab shows.
import type { Submission } from '#device/jobs/jobs.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'

export class Submissions {
  readonly #say: (violation: string) => void
  readonly #drafts: () => ReadonlyMap<string, Draft>
  /** Ids of all drafts that became a job. */
  readonly #made = new Set<string>()
  /** What tabs have shown when they submitted a draft. */
  readonly #shown = new Map<string, Draft[]>()

  /**
   * @param say receives each violation
   * @param drafts what is stored
   */
  constructor(say: (violation: string) => void, drafts: () => ReadonlyMap<string, Draft>) {
    this.#say = say
    this.#drafts = drafts
  }

  /** A tab submits what it shows; the returned function checks what the device answers. */
  begin(shown: Draft): (end: Submission) => void {
    this.#shown.set(shown.id, [...(this.#shown.get(shown.id) ?? []), shown])
    return (end) => {
      const isSent = end.is === 'submitted' || end.is === 'already'
      if (isSent && !this.#made.has(shown.id)) this.#say(`11: a draft is said to be ${end.is} that is not`)
      if (end.is === 'changed' && this.#drafts().get(shown.id)?.revision === shown.revision)
        this.#say('11: a draft is said to be changed that is not')
    }
  }

  /** A job was stored. @param draft as it was stored before */
  added(job: Job, draft: Draft | undefined): void {
    this.#made.add(job.id)
    if (job.kind !== 'post') return
    const shown = (this.#shown.get(job.id) ?? []).filter((it) => it.content === job.form.content)
    if (shown.length === 0) this.#say('2: another text was submitted than was shown')
    const isReplaced = draft && draft.content !== job.form.content
    if (isReplaced && shown.every((it) => it.revision !== draft.revision))
      this.#say('4: a newer text of another tab was replaced')
  }
}
