// Every link with a secret, each of an email that was sent.
import { inquiriesIn, claim } from '#server/testing/moderation/inquiries.ts'
import { acting, deskIn } from '#server/testing/moderation/desk.ts'
import type { World } from '#server/testing/world.ts'
import { emailsTo, secretIn } from './emails.ts'
import { exportsIn } from './exported.ts'
import { leave } from './leaving.ts'
import { call, type Member, PASSWORD, signUp } from './members.ts'

/** Emails with a link by which more is possible than without it. */
const secretKinds = [
  'confirm_registration',
  'reset_code',
  'recovery_begun',
  'recovery_confirmed',
  'export_ready',
  'deletion_asked',
  'measure',
  'suspension_link',
  'inquiry_confirm',
  'inquiry_opinion',
] as const

const addressesIn = (email: object): string[] =>
  Object.values(email).filter((it): it is string => typeof it === 'string' && /^https?:/.test(it))

/** @returns the links by the kind of their email */
export async function mailedLinks(world: World): Promise<Readonly<Record<string, string>>> {
  const [desk, form] = [deskIn(() => world), inquiriesIn(() => world)]
  const staff = await desk.staff('admin')
  const found: Record<string, string> = {}
  const collect = async (address: string) => {
    for (const email of await emailsTo(world, address)) {
      const [link] = addressesIn(email)
      if (link !== undefined && secretKinds.some((it) => it === email.is)) found[email.is] = link
    }
  }
  const withPerson = async (work: (person: Member) => Promise<unknown>) => {
    const person = await signUp(world)
    await work(person)
    await collect(person.email)
  }

  const birth = { name: '夕暮', birth_date: '1999-04-03', terms: true }
  const newcomer = { email: 'mailed-links@person.example', password: 'Yuugure-7', ...birth }
  await call(world, null, 'POST', '/auth/sign-up', newcomer)
  await collect(newcomer.email)
  await withPerson(({ email }) => call(world, null, 'POST', '/auth/reset', { email }))
  await withPerson(async ({ id, email }) => {
    await call(world, staff, 'POST', `/admin/people/${id}/recovery`, { proof: 'account_email' })
    await collect(email)
    const token = secretIn(found['recovery_begun'])
    await call(world, null, 'POST', '/auth/recovery/confirm', { token })
  })
  await withPerson((person) => exportsIn(() => world).exported(person))
  await withPerson((person) => leave(world, person))
  await withPerson(async (author) => {
    const post = await desk.publish(author)
    const inquiry = await form.file({ kind: 'copyright', url: form.urlOf(post) })
    await form.act(staff, inquiry, 'ask-author', { text: 'ご意見をお聞かせください。' })
    await collect(claim.email)
  })
  await withPerson(async (author) => {
    const post = await desk.publish(author)
    await desk.report(await signUp(world), `post/${post}`)
    await desk.act(staff, await desk.caseOf(post), { ...acting, content: 'hide' })
  })
  await withPerson(async ({ id, email }) => {
    await desk.report(await signUp(world), `person/${id}`)
    await desk.act(staff, await desk.caseOf(id), { ...acting, person: 'suspend' })
    await call(world, null, 'POST', '/auth/sign-in', { email, password: PASSWORD })
  })
  const missing = secretKinds.filter((it) => !(it in found))
  if (missing.length > 0) throw new Error(`no email has been sent: ${missing.join(', ')}`)
  return found
}
