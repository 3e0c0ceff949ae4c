// Reads the queued emails of a test server.
import { defined } from '#contract/testing/defined.ts'
import { enqueueEmailChangeEmails, enqueueResetEmail } from '#server/modules/accounts/code-emails.ts'
import { enqueueRegistrationEmail } from '#server/modules/accounts/registration-email.ts'
import { enqueueNoticeEmail } from '#server/modules/notices/mail.ts'
import { enqueueMessageEmail } from '#server/modules/notifications/message-email.ts'
import { enqueueNotificationEmail } from '#server/modules/notifications/email.ts'
import type { Email } from '#server/rules/email.ts'
import type { JobData } from '#server/store/jobs.ts'
import type { World } from '#server/testing/world.ts'

/** Removes and returns the waiting jobs of this kind. */
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

/** Runs the jobs that write emails, on a test server without workers. */
async function enqueueEmails(world: World): Promise<void> {
  const { deps } = world
  for (const it of await takeJobs(world, 'registration.letter'))
    await enqueueRegistrationEmail(deps, it.registrationId)
  for (const it of await takeJobs(world, 'reset.letter')) await enqueueResetEmail(deps, it.sealed)
  for (const it of await takeJobs(world, 'email-change.letter'))
    await enqueueEmailChangeEmails(deps, it.userId, it.sealed)
  for (const it of await takeJobs(world, 'notification.mail'))
    await enqueueNotificationEmail(deps, it.notificationId)
  for (const it of await takeJobs(world, 'notice.mail')) await enqueueNoticeEmail(deps, it.notificationId)
  for (const it of await takeJobs(world, 'message.mail')) await enqueueMessageEmail(deps, it.messageId)
}

/** Queued emails to an address, oldest first. */
export async function emailsTo(world: World, email: string): Promise<readonly Email[]> {
  await enqueueEmails(world)
  const { rows } = await world.database.executeSql('select id from letters order by id')
  const queued = await Promise.all(
    (rows as { id: string }[]).map(({ id }) => world.deps.outbox.read(world.deps.db, id)),
  )
  return queued.flatMap((it) => (it?.to.email === email ? [it.email] : []))
}

/** The secret of a mailed link, which is in its fragment. @param name of the parameter */
export const secretIn = (url: string | undefined, name = 'token'): string =>
  new URLSearchParams(new URL(defined(url)).hash.slice(1)).get(name) ?? ''

/** The secret of the newest registration link sent to an address. */
export async function tokenIn(world: World, email: string): Promise<string> {
  const urls = (await emailsTo(world, email)).flatMap((it) =>
    it.is === 'confirm_registration' ? [it.url] : [],
  )
  return secretIn(urls.at(-1))
}

/** The newest code sent to an address. */
export async function codeIn(world: World, email: string): Promise<string> {
  const codes = (await emailsTo(world, email)).flatMap((it) => ('code' in it ? [it.code] : []))
  return codes.at(-1) ?? ''
}
