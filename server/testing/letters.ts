// The letters of a test world, opened: what a person finds in their box.
import { writeRegistrationLetter } from '#server/modules/accounts/registration-letter.ts'
import type { Letter } from '#server/rules/letter.ts'
import type { World } from './world.ts'

const doing: { [name: string]: (world: World, data: never) => Promise<void> } = {
  'registration.letter': (world, data: { registrationId: string }) =>
    writeRegistrationLetter(world.deps, data.registrationId),
}

/** Does the jobs that write letters, in a world without a worker. */
async function writeLetters(world: World): Promise<void> {
  for (const [name, work] of Object.entries(doing)) {
    const { rows } = await world.database.executeSql(
      `update pgboss.job set state = 'completed' where name = $1 and state = 'created' returning data, created_on`,
      [name],
    )
    for (const { data } of rows as { data: never }[]) await work(world, data)
  }
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
