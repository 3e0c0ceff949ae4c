// The letters with codes. They are decided by jobs, after the answer: neither the answer nor its time tells who has an account.
import type { Deps } from '#server/deps.ts'
import { maskedEmail } from '#server/rules/masked-email.ts'
import { findUser, findUserByEmail } from '#server/store/people.ts'
import { newMailCode } from './mail-code.ts'

const opened = ({ secrets }: Deps, sealed: string) => secrets.open('address', sealed).toString()

/** To whoever has the address; to nobody when nobody has it. */
export async function writeResetLetter(deps: Deps, sealed: string): Promise<void> {
  const { db, jobs, letters } = deps
  await db.transaction(async (tx) => {
    const user = await findUserByEmail(tx, opened(deps, sealed))
    if (!user) return
    const { id: userId, email, name } = user
    const code = await newMailCode(deps, tx, { userId, purpose: 'reset', email })
    if (code !== undefined) await letters.post(tx, { email, name }, { is: 'reset_code', code })
  })
  jobs.wake('letter.send')
}

/** To the wanted address a code, or the word that it has an account; to the present one a notice. */
export async function writeEmailChangeLetters(deps: Deps, userId: string, sealed: string): Promise<void> {
  const { db, jobs, letters } = deps
  await db.transaction(async (tx) => {
    const user = await findUser(tx, userId)
    if (!user || user.deletedAt) return
    const to = opened(deps, sealed)
    // A code is made for a taken address too, and sent to nobody: tries are answered alike.
    const code = await newMailCode(deps, tx, { userId, purpose: 'change_email', email: to })
    if (code === undefined) return
    const owner = await findUserByEmail(tx, to)
    // The wanted address may be a stranger's, who is not told the name.
    if (owner) await letters.post(tx, { email: to, name: owner.name }, { is: 'change_email_taken' })
    else await letters.post(tx, { email: to, name: '' }, { is: 'change_email_code', code })
    const present = { email: user.email, name: user.name }
    await letters.post(tx, present, { is: 'change_email_asked', to: maskedEmail(to) })
  })
  jobs.wake('letter.send')
}
