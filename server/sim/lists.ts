// Lists of the provider's charges that staff upload, above an amount two of them.
import type { Random } from '#contract/testing/random.ts'
import { compareUpload } from '#server/modules/payments/uploaded-list.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import type { World } from '#server/testing/world.ts'
import { checkStep, type Violation } from './invariants.ts'
import { type Observed, observe } from './observed.ts'
import type { TrueCharge } from './provider.ts'
import type { Story } from './story.ts'

/** Of stories whose lost notices are found by an uploaded list before the provider's own one is compared. */
const UPLOADS = 0.3
const HOURS_OF_TOKYO = 9 * 3600_000

const head = '決済番号,店舗オーダー番号,合計金額,決済結果,決済日時'

/** The list as the provider's panel gives it, of whole seconds. */
function csvOf(charges: readonly TrueCharge[]): string {
  const rows = charges.map(({ gid, paymentId, amount, returned, chargedAt }) => {
    const state = returned === 0 ? '成功' : returned === amount ? '返金済' : '一部返金'
    const at = new Date(chargedAt + HOURS_OF_TOKYO).toISOString().slice(0, 19).replace('T', ' ')
    return [gid, paymentId, amount, state, at].join(',')
  })
  return [head, ...rows].join('\r\n')
}

/** What of earlier lists no settlement covers; these stories have none. */
const unsettled = `select coalesce(sum(amount), 0)::int as sum from charges where file_digest is not null`
const marked = `select gid from charges where gid = any($1::text[]) and file_digest is not null`

const moneyOf = ({ payments, charges, purchases }: Observed): string =>
  JSON.stringify(
    [payments, charges, purchases].map((rows) => rows.map((it) => JSON.stringify(it)).toSorted()),
  )

interface Upload {
  readonly text: string
  /** Charges that the server has not recorded. */
  readonly lost: readonly TrueCharge[]
  /** Whether they are too much for one person. */
  readonly needsTwo: boolean
}

/** Some of the charges, with a limit for one person at, below or above what they add up to with earlier lists. */
async function chosenUpload({ charges, servers }: Story, before: Observed, random: Random): Promise<Upload> {
  const listed = charges.filter(() => random.chance(0.8))
  const recorded = new Set(before.charges.map((it) => it.gid))
  const lost = listed.filter((it) => !recorded.has(it.gid))
  const sum = lost.reduce((all, it) => all + it.amount, 0)
  const [row] = await rowsOf<{ sum: number }>(servers.steady, unsettled)
  const total = sum + (row?.sum ?? 0)
  const limit = Math.max(1, random.pick([1, total - 1, total, total + 1000]))
  setLimit(servers.steady, limit)
  return { text: csvOf(listed), lost, needsTwo: sum > 0 && total > limit }
}

const setLimit = ({ deps }: World, secondPersonYen: number): void =>
  void Object.assign(deps.settings.payments, { secondPersonYen })

/**
 * One person previews and uploads a list, twice if that changes nothing, and then another one does. Nothing changes by a preview, or by one
 * person above the limit; what the list has is recorded and marked afterwards.
 * @param random of the uploads alone
 */
export async function checkUploads(story: Story, before: Observed, random: Random): Promise<Violation[]> {
  const { steady } = story.servers
  if (story.charges.length === 0 || !random.chance(UPLOADS)) return []
  story.action = 'an uploaded list'
  const [{ id: one }, { id: other }] = story.cast.staff
  const upload = await chosenUpload(story, before, random)
  const says: string[] = []
  try {
    const steps = [
      { actorId: one, preview: true },
      { actorId: one, preview: false },
      ...(upload.needsTwo ? [{ actorId: one, preview: false }] : []),
      { actorId: other, preview: false },
    ]
    for (const [n, step] of steps.entries())
      says.push(...(await checkUpload(story, upload, { ...step, n, one })))
  } finally {
    setLimit(steady, 0)
  }
  const after = await observe(steady, story.cast)
  return [...says.map((it): Violation => ({ of: 'second', says: it })), ...checkStep(story, before, after)]
}

interface Step {
  readonly n: number
  readonly actorId: string
  readonly preview: boolean
  /** Who uploads first. */
  readonly one: string
}

async function checkUpload({ servers, cast }: Story, upload: Upload, step: Step): Promise<string[]> {
  const { steady } = servers
  const { text, lost, needsTwo } = upload
  const { actorId, preview, one, n } = step
  const may = !preview && (!needsTwo || actorId !== one)
  const before = await observe(steady, cast)
  const reply = await compareUpload(steady.deps, { text, preview }, { actorId, ip: '' })
  const after = await observe(steady, cast)
  const at = `upload ${n + 1} of ${lost.length} lost charges`
  const says: string[] = []
  if (reply.done !== may) says.push(`${at} is ${reply.done ? '' : 'not '}made`)
  if (reply.waits !== (needsTwo && actorId === one))
    says.push(`${at} ${reply.waits ? 'waits' : 'does not wait'}`)
  if (!may) return moneyOf(after) === moneyOf(before) ? says : [...says, `${at} changes money`]
  const numbers = lost.map((it) => it.gid)
  const rows = await rowsOf<{ gid: string }>(steady, marked, [`{${numbers.join(',')}}`])
  const found = new Set(rows.map((it) => it.gid))
  return [...says, ...numbers.filter((it) => !found.has(it)).map((it) => `${at} has not recorded ${it}`)]
}
