// Checks that a submitted post is the one that the submitting tab shows.
import type { Submission } from '#device/jobs/jobs.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import type { Draft } from '#device/database/schema.ts'

export class Submissions {
  readonly #report: (violation: string) => void
  readonly #drafts: () => ReadonlyMap<string, Draft>
  /** Ids of all drafts that became a job. */
  readonly #submitted = new Set<string>()
  /** The versions of each draft that tabs showed when they submitted it. */
  readonly #shown = new Map<string, Draft[]>()

  /**
   * @param report receives each violation
   * @param drafts the stored drafts
   */
  constructor(report: (violation: string) => void, drafts: () => ReadonlyMap<string, Draft>) {
    this.#report = report
    this.#drafts = drafts
  }

  /** Records the draft that a tab shows and submits. The returned function checks the result of the submission. */
  begin(shown: Draft): (result: Submission) => void {
    this.#shown.set(shown.id, [...(this.#shown.get(shown.id) ?? []), shown])
    return (result) => {
      const isSent = result.is === 'submitted' || result.is === 'already'
      if (isSent && !this.#submitted.has(shown.id))
        this.#report(`11: a draft is reported as ${result.is} that is not`)
      if (result.is === 'changed' && this.#drafts().get(shown.id)?.revision === shown.revision)
        this.#report('11: a draft is reported as changed that is not')
    }
  }

  /** A job was stored. @param draft as it was stored before */
  added(job: Job, draft: Draft | undefined): void {
    this.#submitted.add(job.id)
    if (job.kind !== 'post') return
    const shown = (this.#shown.get(job.id) ?? []).filter((it) => it.content === job.form.content)
    if (shown.length === 0) this.#report('2: another text was submitted than was shown')
    const isReplaced = draft && draft.content !== job.form.content
    if (isReplaced && shown.every((it) => it.revision !== draft.revision))
      this.#report('4: a newer text of another tab was replaced')
  }
}
