// Six digits by mail: made, written down as a keyed hash, and tried.
import { randomInt } from 'node:crypto'
import { newId } from '#contract/ids.ts'
import { MAIL_CODE_DIGITS, MAIL_CODE_MS, MAIL_CODE_TRIES } from '#contract/accounts/mail-code.ts'
import type { Deps } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import {
  addMailCode,
  type CodePurpose,
  countMailCodes,
  type MailCode,
} from '#server/store/accounts/mail-codes.ts'

const HOUR = 3600_000
/** Codes of one person and purpose in an hour, requested by the owner: guesses need codes. */
const MOST_PER_HOUR = 5

export interface CodeFor {
  readonly userId: string
  readonly purpose: CodePurpose
  /** Where it will be sent. */
  readonly email: string
  /** SHA-256 of the id of the reset request it belongs to. */
  readonly requestHash?: string
  /** False without proof that the address's owner requested it. */
  readonly asked?: boolean
}

const keyed = (id: string, code: string) => `${id} ${code}`

/** A new code; undefined when the owner requested too many in this hour, or the request has one already. */
export async function newMailCode(
  { clock, secrets }: Deps,
  tx: Db,
  { userId, purpose, email, requestHash, asked = true }: CodeFor,
): Promise<string | undefined> {
  const now = clock()
  const wanted = { userId, purpose, asked: true }
  if (asked && (await countMailCodes(tx, wanted, now - HOUR)) >= MOST_PER_HOUR) return undefined
  const id = newId()
  const code = String(randomInt(10 ** MAIL_CODE_DIGITS)).padStart(MAIL_CODE_DIGITS, '0')
  const added = await addMailCode(tx, {
    id,
    userId,
    purpose,
    email,
    requestHash: requestHash ?? null,
    asked,
    codeHash: secrets.mac('mail-code', keyed(id, code)),
    createdAt: new Date(now),
    expiresAt: new Date(now + MAIL_CODE_MS),
  })
  return added ? code : undefined
}

export interface Judged {
  readonly right: boolean
  /** Not run out and not tried too often: this try is counted already. Whether it came before, `verifyMailCode` says. */
  readonly alive: boolean
}

/** Result of a try. Without a code the same comparison runs, so that timing reveals nothing. */
export function judge({ clock, secrets }: Deps, row: MailCode | undefined, code: string): Judged {
  const right = secrets.isMac('mail-code', keyed(row?.id ?? '', code), row?.codeHash ?? '')
  const alive = row !== undefined && row.attempts <= MAIL_CODE_TRIES && row.expiresAt.getTime() > clock()
  return { right: right && row !== undefined, alive }
}
