// Emailed codes of six digits: created, stored as a keyed hash, and compared.
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
/** Codes of one person and purpose in an hour, on request of the owner: each code allows more guesses. */
const MAX_PER_HOUR = 5

export interface CodeRequest {
  readonly userId: string
  readonly purpose: CodePurpose
  /** The address that the code is sent to. */
  readonly email: string
  /** SHA-256 of the id of the reset request that the code is for. */
  readonly requestHash?: string
  /** False without proof that the owner of the address requested the code. */
  readonly isRequested?: boolean
}

const macInput = (id: string, code: string) => `${id} ${code}`

/** Creates a code; undefined when the owner requested too many in this hour, or the request has one already. */
export async function newMailCode(
  { clock, secrets }: Deps,
  tx: Db,
  { userId, purpose, email, requestHash, isRequested = true }: CodeRequest,
): Promise<string | undefined> {
  const now = clock()
  const requested = { userId, purpose, asked: true }
  if (isRequested && (await countMailCodes(tx, requested, now - HOUR)) >= MAX_PER_HOUR) return undefined
  const id = newId()
  const code = String(randomInt(10 ** MAIL_CODE_DIGITS)).padStart(MAIL_CODE_DIGITS, '0')
  const added = await addMailCode(tx, {
    id,
    userId,
    purpose,
    email,
    requestHash: requestHash ?? null,
    asked: isRequested,
    codeHash: secrets.mac('mail-code', macInput(id, code)),
    createdAt: new Date(now),
    expiresAt: new Date(now + MAIL_CODE_MS),
  })
  return added ? code : undefined
}

export interface CodeComparison {
  readonly matches: boolean
  /** The code has not expired and was not tried too often, this try included. `verifyMailCode` detects a used one. */
  readonly isValid: boolean
}

/** Compares a typed code. Without a stored code the same comparison runs, so that timing reveals nothing. */
export function compareCode(
  { clock, secrets }: Deps,
  row: MailCode | undefined,
  code: string,
): CodeComparison {
  const isEqual = secrets.isMac('mail-code', macInput(row?.id ?? '', code), row?.codeHash ?? '')
  const isValid = row !== undefined && row.attempts <= MAIL_CODE_TRIES && row.expiresAt.getTime() > clock()
  return { matches: isEqual && row !== undefined, isValid }
}
