// UnsentOnDevice: unsent posts and drafts, listed before the account is deleted.
import { useId } from 'react'
import { listDrafts } from '#device/drafts/drafts.ts'
import type { Job } from '#device/jobs/job-rows.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import { leavingText } from './text.ts'

const words = leavingText.unsent
/** Titles shown of each kind. */
const SHOWN = 3

interface Unsent {
  readonly jobs: readonly string[]
  readonly drafts: readonly string[]
}

export function UnsentOnDevice({ ownerId }: { ownerId: string }) {
  const unsent = useUnsent(ownerId)
  const id = useId()
  if (!unsent || unsent.jobs.length + unsent.drafts.length === 0) return null
  return (
    <section aria-labelledby={id} className="rounded-media border border-edge p-4">
      <h2 id={id} className="font-semibold">
        {words.title}
      </h2>
      <p className="mt-1 text-sm text-soft">{words.text}</p>
      <Titles label={words.jobs(unsent.jobs.length)} titles={unsent.jobs} />
      <Titles label={words.drafts(unsent.drafts.length)} titles={unsent.drafts} />
    </section>
  )
}

function Titles({ label, titles }: { label: string; titles: readonly string[] }) {
  if (titles.length === 0) return null
  const more = titles.length - SHOWN
  return (
    <>
      <p className="mt-3 tabular-nums">{label}</p>
      <ul className="text-sm text-soft">
        {titles.slice(0, SHOWN).map((title, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- titles may be the same
          <li key={i} className="truncate">
            {title}
          </li>
        ))}
        {more > 0 && <li>{words.more(more)}</li>}
      </ul>
    </>
  )
}

const titleOf = (content: string) => content.trim().split('\n')[0] || words.untitled

function jobTitle({ kind, form }: Job): string {
  if (kind === 'message') return words.message(form.about)
  if (kind === 'post') return titleOf(form.content)
  kind satisfies 'identity'
  return words.identity
}

async function readUnsent(ownerId: string): Promise<Unsent> {
  const [jobs, drafts] = [await listJobs(ownerId), await listDrafts(ownerId)]
  return {
    jobs: jobs.map(jobTitle),
    drafts: drafts.map((it) => titleOf(it.content)),
  }
}

/** Undefined until it has been read, and on a device that cannot be read. */
const useUnsent = (ownerId: string): Unsent | undefined =>
  useDeviceRead({
    key: ['unsent', ownerId],
    read: () => readUnsent(ownerId),
    isAbout: ({ store }) => store === 'jobs' || store === 'drafts',
  })
