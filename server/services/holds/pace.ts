// Limits of new accounts, of sudden follows, and of equal texts to many.
import { ApiError, TooFast } from '#server/http/errors.ts'
import { comparedText, hasLink } from '#server/rules/moderation/equal-texts.ts'
import type { Db } from '#server/store/database.ts'
import { countRecipients } from '#server/store/messages/equal-messages.ts'
import { isFollowing } from '#server/store/people/follows.ts'
import { findUser } from '#server/store/people/people.ts'
import type { Found } from './found.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR

/** Number of acts in an hour and in a day; 0 without a limit. */
interface Paces {
  readonly hour: number
  readonly day: number
}

interface Help {
  readonly newAccountMs: number
  readonly ofNew: Readonly<Record<NewAct, Paces>>
  readonly follows: Paces
  readonly equalComments: number
  readonly holdsLinks: boolean
}

type NewAct = 'posts' | 'comments' | 'follows'

interface Ports {
  readonly db: Db
  readonly clock: () => number
  readonly counts: {
    add(key: string, window: number): Promise<{ readonly current: number; readonly ttl: number }>
    subtract(key: string): Promise<void>
  }
  readonly secrets: { mac(purpose: 'equal-message', text: string): string }
  readonly settings: { readonly help: Help }
}

/** Whether an account counts as new. */
export async function isNewAccount({ db, clock, settings }: Ports, userId: string): Promise<boolean> {
  const user = await findUser(db, userId)
  return user !== undefined && clock() - user.createdAt.getTime() < settings.help.newAccountMs
}

/**
 * Counts an act of a new account.
 * @throws TooFast `hour_limit` or `day_limit` with the time until the next one
 */
export async function spendOfNew(ports: Ports, userId: string, act: NewAct): Promise<void> {
  const paces = ports.settings.help.ofNew[act]
  if ((paces.hour === 0 && paces.day === 0) || !(await isNewAccount(ports, userId))) return
  await spend(ports, `new ${act} ${userId}`, paces, ['hour_limit', 'day_limit'])
}

/** @throws TooFast `follow_limit` for more follows than an hour may have */
export async function spendFollow(ports: Ports, userId: string): Promise<void> {
  await spendOfNew(ports, userId, 'follows')
  await spend(ports, `follows ${userId}`, ports.settings.help.follows, ['follow_limit', 'follow_limit'])
}

async function spend(
  { counts }: Ports,
  key: string,
  { hour, day }: Paces,
  [ofHour, ofDay]: readonly [TooFast['pace'], TooFast['pace']],
): Promise<void> {
  const spent: string[] = []
  for (const [most, window, code] of [
    [day, DAY, ofDay],
    [hour, HOUR, ofHour],
  ] as const) {
    if (most === 0) continue
    const counted = `${key} ${window}`
    const { current, ttl } = await counts.add(counted, window)
    spent.push(counted)
    if (current <= most) continue
    // What is refused does not count: it would use up the day.
    for (const it of spent) await counts.subtract(it)
    throw new TooFast(code, ttl)
  }
}

/**
 * Counts the people below whose posts one person writes an equal comment within a day.
 * @throws ApiError `text_limit` beyond the limit
 */
export async function spendEqualComment(
  { secrets, clock, settings }: Ports,
  tx: Db,
  { by, to, text }: { readonly by: string; readonly to: string; readonly text: string },
): Promise<void> {
  const most = settings.help.equalComments
  const compared = most === 0 || by === to ? undefined : comparedText(text)
  if (compared === undefined) return
  const content = `comment ${by}\n${compared}`
  const hashes = {
    content: secrets.mac('equal-message', content),
    recipient: secrets.mac('equal-message', `${to}\n${content}`),
  }
  const now = clock()
  if ((await countRecipients(tx, hashes, now - DAY, now)) > most) throw new ApiError('text_limit')
}

/** A comment with a link of a new account, whom the author of the post does not follow: that author reviews it. */
export async function linkOfStranger(
  ports: Ports,
  tx: Db,
  { by, to, text }: { readonly by: string; readonly to: string; readonly text: string },
): Promise<Found | undefined> {
  if (!ports.settings.help.holdsLinks || by === to || !hasLink(text)) return undefined
  if (!(await isNewAccount({ ...ports, db: tx }, by)) || (await isFollowing(tx, to, by))) return undefined
  return { reason: 'link', reviewer: 'creator', word: undefined }
}
