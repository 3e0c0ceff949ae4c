// The letters of a test world, opened: what a person finds in their box.
import { writeEmailChangeLetters, writeResetLetter } from '#server/modules/accounts/code-letters.ts'
import { writeRegistrationLetter } from '#server/modules/accounts/registration-letter.ts'
import { writeNotificationLetter } from '#server/modules/notifications/mail.ts'
import type { Letter } from '#server/rules/letter.ts'
import type { JobData } from '#server/store/jobs.ts'
import type { World } from './world.ts'

/** The jobs of this kind that wait, taken out. */
export async function takeJobs<N extends keyof JobData>(
  world: World,
  name: N,
): Promise<readonly JobData[N][]> {
  const { rows } = await world.database.executeSql(
    `update pgboss.job set state = 'completed' where name = $1 and state = 'created' returning data`,
    [name],
  )
  return (rows as { data: JobData[N] }[]).map((it) => it.data)
}

/** Does the jobs that write letters, in a world without a worker. */
async function writeLetters(world: World): Promise<void> {
  const { deps } = world
  for (const it of await takeJobs(world, 'registration.letter'))
    await writeRegistrationLetter(deps, it.registrationId)
  for (const it of await takeJobs(world, 'reset.letter')) await writeResetLetter(deps, it.sealed)
  for (const it of await takeJobs(world, 'email-change.letter'))
    await writeEmailChangeLetters(deps, it.userId, it.sealed)
  for (const it of await takeJobs(world, 'notification.mail'))
    await writeNotificationLetter(deps, it.notificationId)
}

/** Every letter to an address that waits, oldest first. */
export async function lettersTo(world: World, email: string): Promise<readonly Letter[]> {
  await writeLetters(world)
  const { rows } = await world.database.executeSql('select id from letters order by id')
  const posted = await Promise.all(
    (rows as { id: string }[]).map(({ id }) => world.deps.letters.take(world.deps.db, id)),
  )
  return posted.flatMap((it) => (it?.to.email === email ? [it.letter] : []))
}

/** The secret of the newest registration link sent to an address. */
export async function tokenIn(world: World, email: string): Promise<string> {
  const urls = (await lettersTo(world, email)).flatMap((it) =>
    it.is === 'confirm_registration' ? [it.url] : [],
  )
  return new URL(urls.at(-1) ?? '').searchParams.get('token') ?? ''
}

/** The newest code sent to an address. */
export async function codeIn(world: World, email: string): Promise<string> {
  const codes = (await lettersTo(world, email)).flatMap((it) => ('code' in it ? [it.code] : []))
  return codes.at(-1) ?? ''
}
